"""The bundle of the Vega runtime."""

from __future__ import annotations

import os
import threading

import pytest

from whilecore.charts import runtime


@pytest.fixture
def bundling(monkeypatch, tmp_path):
    """Count bundlings into a cache of the test's own; each gives a short script."""
    made = []

    def javascript_bundle(snippet, vl_version):
        made.append((snippet, vl_version))
        return "export const vegaEmbed = 1;"

    monkeypatch.setenv("WHILECORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(runtime.vl_convert, "javascript_bundle", javascript_bundle)
    runtime.bundle.cache_clear()
    yield made
    runtime.bundle.cache_clear()


def test_bundle_is_made_once_and_then_read_from_the_cache(bundling):
    first = runtime.bundle()
    runtime.bundle.cache_clear()
    assert runtime.bundle() == first == "export const vegaEmbed = 1;"
    assert bundling == [("export { vegaEmbed };", "6.4")]


def test_half_written_files_are_never_left_under_the_name(bundling):
    runtime.bundle()
    assert os.listdir(runtime.cache_folder()) == [runtime.file_name()]


def test_empty_cache_file_is_made_anew(bundling):
    runtime.cache_folder().mkdir(parents=True)
    (runtime.cache_folder() / runtime.file_name()).write_text("")
    assert "vegaEmbed" in runtime.bundle()
    assert len(bundling) == 1


def test_cache_that_cannot_be_written_costs_no_error(bundling, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("WHILECORE_CACHE", str(tmp_path / "file" / "below"))
    assert "vegaEmbed" in runtime.bundle()
    assert (tmp_path / "file").read_text() == "in the way"


def test_threads_that_bundle_at_once_leave_one_whole_file(bundling):
    threads = [threading.Thread(target=runtime.bundle) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.listdir(runtime.cache_folder()) == [runtime.file_name()]


def test_real_bundle_exports_vega_embed_and_loads_nothing_from_outside():
    text = runtime.bundle()
    assert 500_000 < len(text) < 2_000_000
    assert "as vegaEmbed}" in text[-200:]
    assert 'from"http' not in text.replace(" ", "")


def test_file_name_holds_the_versions():
    assert runtime.file_name().startswith(f"vega-{runtime.vl_convert.get_vega_version()}-vlc1.")


def test_served_path_is_set_only_meanwhile():
    assert runtime.served_path() is None
    with runtime.served_at("/_whilecore/vega.js"):
        assert runtime.served_path() == "/_whilecore/vega.js"
    assert runtime.served_path() is None
