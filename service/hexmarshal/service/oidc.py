"""Sign-in by OpenID Connect: a club's own accounts, by tokens that its issuer signed."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from hexmarshal.errors import MissingExtraError, UsageError
from hexmarshal.service.calls.statuses import unauthenticated, unavailable

__all__ = ["Issuer", "Signed", "looks_signed"]

# Signatures that only the issuer can make; never one by a secret that we would share with it.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
LEEWAY_SECONDS = 30
FETCH_SECONDS = 5
LONGEST_NAME = 200
# Before the names of accounts: whoever opens one chooses its name, and must not become by that
# somebody to whom a token was given.
PREFIX = "oidc:"


@dataclass(frozen=True, slots=True)
class Signed:
    """Whom a token is for, and until when, in microseconds since 1970."""

    name: str
    expires_at: int


def looks_signed(token: str) -> bool:
    """Whether a bearer token is a JSON Web Token, and not one of ours."""
    return token.count(".") == 2 and token.startswith("ey")


class Issuer:
    """Checks tokens of one issuer; its keys are fetched when needed."""

    def __init__(self, issuer: str, audience: str, claim: str) -> None:
        try:
            import jwt
        except ImportError:
            raise MissingExtraError(
                "sign-in by OpenID Connect needs PyJWT", hint="pip install 'hexmarshal[oidc]'"
            ) from None
        if not issuer.startswith(("https://", "http://127.0.0.1", "http://localhost")):
            raise UsageError(f"oidc_issuer: not an https address: {issuer!r}")
        self._jwt: Any = jwt
        self._issuer = issuer.rstrip("/")
        self._audience = audience
        self._claim = claim
        self._keys: Any = None
        self._fetching = asyncio.Lock()

    async def check(self, token: str) -> Signed:
        """Whom a token is for, or a refusal that does not say what exactly is wrong with it."""
        errors = self._jwt.exceptions
        try:
            claims = await asyncio.to_thread(self._claims, await self._key_set(), token)
        except errors.PyJWKClientConnectionError:
            raise unavailable("the issuer of the tokens does not answer", reason="ISSUER") from None
        except errors.PyJWTError:
            raise unauthenticated("the token is not valid") from None
        return Signed(self._name(claims), int(claims["exp"]) * 1_000_000)

    def _claims(self, keys: Any, token: str) -> dict[str, Any]:  # noqa: ANN401 - PyJWT's
        # Fetches the keys anew for a token signed by one that is not known yet.
        key = keys.get_signing_key_from_jwt(token)
        found: dict[str, Any] = self._jwt.decode(
            token,
            key.key,
            algorithms=ALGORITHMS,
            audience=self._audience,
            issuer=[self._issuer, f"{self._issuer}/"],
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud"]},
        )
        return found

    def _name(self, claims: dict[str, Any]) -> str:
        name = claims.get(self._claim)
        verified = self._claim != "email" or claims.get("email_verified") is True
        if not isinstance(name, str) or not name.strip() or "\0" in name or not verified:
            raise unauthenticated(f"the token has no {self._claim} to go by")
        if len(name) > LONGEST_NAME:
            raise unauthenticated(f"the token's {self._claim} is too long")
        return f"{PREFIX}{name}"

    async def _key_set(self) -> Any:  # noqa: ANN401 - PyJWT's
        async with self._fetching:
            if self._keys is None:
                address = await asyncio.to_thread(self._discover)
                self._keys = self._jwt.PyJWKClient(address, timeout=FETCH_SECONDS, lifespan=3600)
            return self._keys

    def _discover(self) -> str:
        address = f"{self._issuer}/.well-known/openid-configuration"
        try:
            with urllib.request.urlopen(address, timeout=FETCH_SECONDS) as answer:  # noqa: S310
                document = json.loads(answer.read(1 << 20))
            keys = str(document["jwks_uri"])
        except (OSError, ValueError, KeyError, TypeError):
            raise unavailable("the issuer of the tokens does not answer", reason="ISSUER") from None
        if not keys.startswith(("https://", "http://127.0.0.1", "http://localhost")):
            raise unavailable("the issuer names no safe place of its keys", reason="ISSUER")
        return keys
