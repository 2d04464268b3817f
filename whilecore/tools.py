"""A typed function is a tool schema: ``@tool`` reads name, description and parameters off it.

The course runs offline, so the stand-in agent never runs the function's body: it needs to know
only what a caller must give, and what kind of thing comes back.
"""

from __future__ import annotations

import datetime
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

SIMPLE_TYPES: Final[dict[Any, dict[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
}

ALLOWED: Final = (
    "str, int, float, bool, date, datetime, list[...], dict, an Enum, Literal[...], "
    "or one of these with None"
)


@dataclass(frozen=True, eq=False)
class Tool:
    """A function together with what a model is told about it. Still callable.

    Attributes:
        function: The function itself.
        name: Its name.
        description: Its docstring, white space folded.
        parameters: JSON schema of its arguments (``type``, ``properties``, ``required``).
        returns: JSON schema of its result; ``{"type": "object"}`` where it is not annotated.
    """

    function: Callable[..., Any]
    name: str
    description: str
    parameters: dict[str, Any]
    returns: dict[str, Any]

    def __post_init__(self) -> None:
        """Carry the function's own name and docstring, so that help() shows them."""
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            object.__setattr__(self, name, getattr(self.function, name, None))
        object.__setattr__(self, "__wrapped__", self.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        """Show the call it stands for."""
        return f"<Tool {self.name}({', '.join(self.parameters['properties'])})>"


def tool(function: Callable[..., Any]) -> Tool:
    """Turn a typed function into a tool.

    Args:
        function: Needs a docstring and an annotation on every parameter.

    Returns:
        A callable with ``name``, ``description`` and ``parameters``.

    Raises:
        TypeError: If it is no function, or a parameter has no annotation or one that cannot be
            written as JSON.
        ValueError: If it has no docstring.

    Convention:
        A parameter with a default is optional. ``X | None`` is described as X.

    >>> @tool
    ... def get_order(order_id: str) -> dict:
    ...     \"\"\"Look up an order by id.\"\"\"
    >>> get_order.parameters["required"]
    ['order_id']
    """
    if isinstance(function, Tool):
        return function
    if not callable(function) or isinstance(function, type):
        raise TypeError(
            f"@tool must stand on a function, got {function!r}; write a typed function with a "
            "docstring and put @tool above it"
        )
    name = getattr(function, "__name__", type(function).__name__)
    description = " ".join((inspect.getdoc(function) or "").split())
    if not description:
        raise ValueError(
            f"{name} must have a docstring, because it is all a model is told about the tool; "
            f'add one line, for example """Look up an order by id."""'
        )
    hints = _hints(function, name)
    properties, required = {}, []
    for parameter in inspect.signature(function).parameters.values():
        properties[parameter.name] = _property(parameter, hints, name)
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
    return Tool(
        function=function,
        name=name,
        description=description,
        parameters={"type": "object", "properties": properties, "required": required},
        returns=_result(hints.get("return", dict), name),
    )


def as_tools(tools: Iterable[Any]) -> tuple[Tool, ...]:
    """Return tools from tools or plain typed functions, each name once.

    Raises:
        TypeError: If it is no list of functions.
        ValueError: If it is empty, or two tools share a name.
    """
    if isinstance(tools, str | Mapping) or not isinstance(tools, Iterable):
        raise TypeError(f"tools must be a list of functions, got {tools!r}; pass [get_order]")
    found = tuple(tool(one) for one in tools)
    names = [one.name for one in found]
    if not found:
        raise ValueError("tools must hold at least one tool, got none; pass [get_order]")
    if len(set(names)) < len(names):
        raise ValueError(f"every tool must have a name of its own, got {', '.join(names)}")
    return found


def _hints(function: Callable[..., Any], name: str) -> dict[str, Any]:
    """Return annotations as types, also where they are written as text."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as problem:
        raise TypeError(
            f"the annotations of {name} must be types known where it is defined, got: {problem}; "
            "import the type, or use one of " + ALLOWED
        ) from problem


def _property(parameter: inspect.Parameter, hints: dict[str, Any], name: str) -> dict[str, Any]:
    """Describe one parameter."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise TypeError(
            f"{name} must name every parameter, got {parameter}; a model cannot be told what to "
            "put there, so list the parameters one by one"
        )
    if parameter.name not in hints:
        raise TypeError(
            f"parameter {parameter.name!r} of {name} must have a type annotation, got none; "
            f"write for example {parameter.name}: str"
        )
    return schema(hints[parameter.name], f"parameter {parameter.name!r} of {name}")


def _result(hint: Any, name: str) -> dict[str, Any]:
    """Describe what comes back; anything unannotated or unusual counts as a mapping."""
    if hint is Any or hint is type(None) or typing.is_typeddict(hint):
        return {"type": "object"}
    return schema(hint, f"the result of {name}")


def schema(hint: Any, what: str) -> dict[str, Any]:
    """Write a type as a JSON schema.

    Args:
        hint: The type.
        what: Who is asking, for the error.

    Raises:
        TypeError: If the type cannot be written as JSON.

    >>> schema(list[int], "an example")
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        texts = [extra for extra in inner[1:] if isinstance(extra, str)]
        return schema(inner[0], what) | ({"description": texts[0]} if texts else {})
    if hint in SIMPLE_TYPES:
        return dict(SIMPLE_TYPES[hint])
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    if origin in (typing.Union, types.UnionType):
        known = [one for one in inner if one is not type(None)]
        if len(known) == 1:
            return schema(known[0], what)
    if hint in (list, Sequence) or origin in (list, Sequence):
        return {"type": "array", "items": schema(inner[0] if inner else str, what)}
    if hint in (dict, Mapping) or origin in (dict, Mapping):
        return {"type": "object"}
    shown = hint.__name__ if isinstance(hint, type) else repr(hint)
    raise TypeError(f"{what} must be {ALLOWED}; got {shown}, which has no JSON form here")
