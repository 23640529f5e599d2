"""Pages answer this machine alone, speak for no other site, and let nothing but our script act."""

from __future__ import annotations

import pytest
from server.frontier import Frontier

from hexmarshal.errors import UsageError
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.service.settings import Settings
from hexmarshal.web.site.listening import bound

from .conftest import match_site

CALL = "/hexmarshal.v1.GameService/ListGames"


@pytest.fixture(scope="module")
def site():
    games = Registry()
    games.add(Frontier())
    with match_site(games) as one:
        yield one


@pytest.mark.parametrize(
    "path", ["/", "/match.html", "/matches/match.js", "/pictures/none", "/no", CALL]
)
def test_every_answer_carries_a_policy_without_inline_script(site, path):
    headers = site.ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy or "script-src 'self';" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert not [name for name in headers if name.startswith("access-control-")]


def test_pages_have_no_inline_script_or_style(site):
    for path in ("/", "/match.html", "/view.html"):
        text = site.ask("GET", path).body.decode()
        assert '<script type="module" src=' in text
        assert text.count("<script") == text.count('<script type="module" src=')
        assert "style=" not in text
        assert "<style" not in text
        assert " on" + "click" not in text
        assert "http" not in text.replace("http-equiv", "")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "cors"},
        {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors"},
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:80"},
        {"host": "[::bad"},
    ],
)
def test_requests_of_other_sites_are_refused(site, headers):
    assert site.ask("POST", CALL, "{}", content_type="application/json", **headers).status == 403
    assert site.ask("GET", "/", **headers).status == 403


def test_our_own_pages_and_links_to_them_are_answered(site):
    own = {"origin": site.url.rstrip("/"), "sec_fetch_site": "same-origin"}
    assert site.ask("POST", CALL, "{}", content_type="application/json", **own).status == 200
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert site.ask("GET", "/", **link).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fetc/passwd",
        "/static/base.css",
        "//etc/passwd",
        "/pictures/..%2f..%2fbase.css",
        "/base.css/../../x",
    ],
)
def test_no_path_of_a_request_leads_to_a_file(site, path):
    assert site.ask("GET", path).status == 404


def test_an_address_that_leads_nowhere_has_a_page_for_people_and_a_line_for_programs(site):
    page = site.ask("GET", "/nowhere", accept="text/html,*/*;q=0.8")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert b"nowhere" not in page.body  # nothing of what was asked for comes back
    line = site.ask("GET", "/nowhere")
    assert (line.status, line.body) == (404, b"Not Found")


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"web": "0.0.0.0:8080"}, "anybody"),
        ({"web": "0.0.0.0:8080", "auth": "tokens"}, "in the clear"),
        ({"web": "192.168.0.7:80", "client_ca": "c", "tls_cert": "c", "tls_key": "k"}, "tokens"),
        ({"web": "8080"}, "HOST:PORT"),
        ({"web": "unix:/tmp/x"}, "HOST:PORT"),
    ],
)
def test_pages_off_loopback_want_tokens_and_tls(changes, word):
    with pytest.raises(UsageError, match=word):
        Settings(**changes).check()


def test_pages_off_loopback_are_served_with_tokens_and_tls():
    Settings(web="0.0.0.0:8080", auth="tokens", tls_cert="c", tls_key="k").check()
    Settings(web="0.0.0.0:8080", auth="tokens", plaintext=True).check()
    Settings(web="[::1]:8080").check()


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "127.0.0.1:{taken}"])
def test_a_port_that_cannot_be_had_is_told(site, address):
    with pytest.raises(UsageError, match="cannot serve pages on 127"):
        bound(address.format(taken=site.address.rpartition(":")[2]))
