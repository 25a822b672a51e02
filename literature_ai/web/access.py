"""Who may talk to the server: Host, Origin, and the code of ``--lan``.

Every request must name this server as its host, so that no name that somebody else controls can be
pointed at it (DNS rebinding). A request that a page sends must come from a page of this server.
With a code nothing is served to whoever has not given it.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from literature_ai.web.limits import Bucket
from literature_ai.web.render import render

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""On every answer. There is no code and no style inside pages."""
CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
CODE_LENGTH = 8
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_TOKEN_BYTES = 16


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_code() -> str:
    """A code to type on a phone: letters and figures that cannot be mixed up, 39 bits."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def is_same(given: str, secret: str) -> bool:
    """Whether somebody knows a secret, in a time that tells nothing of it."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


class Access:
    """Which hosts the server answers to, and the code that is wanted, if one is."""

    def __init__(self, port: int, code: str | None = None) -> None:
        """With a code the server answers to every numeric address, else to loopback ones."""
        self.port = port
        self.code = code
        self.cookie = f"literature-{port}"
        """The name of the cookie that holds the code. Cookies are shared between ports."""
        self.guesses = Bucket(burst=10, per_second=0.2)
        """Bounds wrong codes, whoever sends them: a code lasts for centuries."""

    def is_host(self, host: str) -> bool:
        """Whether the value of the header names this server."""
        name, port = host, ""
        if not host.endswith("]"):
            head, colon, tail = host.rpartition(":")
            if colon:
                name, port = head, tail
        if port != str(self.port) and not (port == "" and self.port == 80):
            return False
        if name.lower() in _LOOPBACK:
            return True
        return self.code is not None and _is_address(name)

    def is_code(self, given: str) -> bool:
        """Whether that is the code, however it is spelled."""
        spelled = "".join(given.lower().split()).replace("-", "")
        return self.code is not None and is_same(spelled, self.code)


class Gate:
    """Middleware that lets in only what may come in, and marks every answer as safe."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers) or self._without_code(scope, headers)
        await (refusal or self._app)(scope, receive, send_safely)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request for another host, or from a foreign page."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._access.is_host(hosts[0]):
            return PlainTextResponse(
                "This server answers only to its own address; open the one that it printed.", 403
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{hosts[0].lower()}":
            return PlainTextResponse("This request comes from a foreign page.", 403)
        site = headers.get("sec-fetch-site", "none")
        opens_page = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if site not in ("none", "same-origin") and not opens_page:
            return PlainTextResponse("This request comes from a foreign page.", 403)
        return None

    def _without_code(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request without the code: the question for it, or what a right one opens;
        None when nothing is wanted."""
        access = self._access
        if access.code is None:
            return None
        url = urlsplit(scope["path"])
        query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=50)
        given = query.pop("code", [""])[0][:100]
        known = _cookie(headers, access.cookie)
        if known and access.is_code(known) and not given:
            return None
        said = ""
        if given:
            if not access.guesses.take():
                return _question("Too many wrong codes; wait a minute.", 429)
            if access.is_code(given):
                access.guesses.give_back()
                path = url.path if url.path.startswith("/") and url.path[1:2] != "/" else "/"
                rest = urlencode(query, doseq=True)
                answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
                answer.set_cookie(
                    access.cookie, access.code, max_age=90 * 86_400, httponly=True, samesite="lax"
                )
                return answer
            said = "That is not the code."
        return _question(said, 403)


def _question(said: str, status: int) -> Response:
    return HTMLResponse(render("pages/code.html", said=said), status)


def _cookie(headers: Headers, name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


def _is_address(name: str) -> bool:
    """Whether the name is a numeric address, which no name server can point elsewhere."""
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return False
    return (address.version == 6) == name.startswith("[")
