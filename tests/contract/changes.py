"""What changed between two descriptions of the API, and which changes break apps.

An app breaks when something goes away that it uses, when a request that it sends is refused, or
when an answer lacks what it reads or holds what it does not expect.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
LEAST, MOST = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")
ABOUT = ("description", "summary", "example", "examples", "title", "default", "tags", "deprecated")


@dataclass(frozen=True)
class Changes:
    """Breaking changes, each as a sentence, and names of what is new."""

    breaking: tuple[str, ...]
    added: tuple[str, ...]


def compare(old: Json, new: Json) -> Changes:
    """Compare a description with the one before."""
    comparison = _Comparison(old, new)
    comparison.run()
    breaking = tuple(dict.fromkeys(comparison.breaking))
    return Changes(breaking, tuple(dict.fromkeys(comparison.added)))


def surface(spec: Json) -> Any:
    """What of a description matters to a program: all but texts and the level itself."""
    return _bare({part: spec[part] for part in ("paths", "components", "webhooks") if part in spec})


def _bare(part: Any, named: bool = False) -> Any:
    if isinstance(part, list):
        return [_bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    # Below "properties" a name is a field's, whatever it is.
    return {
        name: _bare(one, name == "properties")
        for name, one in part.items()
        if named or name not in ABOUT
    }


class _Comparison:
    def __init__(self, old: Json, new: Json) -> None:
        self.old, self.new = old, new
        self.breaking: list[str] = []
        self.added: list[str] = []
        self._seen: set[tuple[str, str, bool]] = set()

    def run(self) -> None:
        """Compare the operations, and what they refer to."""
        before, after = dict(_operations(self.old)), dict(_operations(self.new))
        for place, operation in before.items():
            if place not in after:
                self.breaking.append(f"{place} is gone")
            else:
                self._operation(place, operation, after[place])
        self.added += [after[place]["operationId"] for place in after if place not in before]

    def _operation(self, place: str, old: Json, new: Json) -> None:
        if old["operationId"] != new["operationId"]:
            self.breaking.append(f"{place} is not called {old['operationId']} any more")
        self._parameters(place, old, new)
        self._body(place, old.get("requestBody"), new.get("requestBody"))
        for status, answer in old["responses"].items():
            if int(status) >= 400:
                continue
            if status not in new["responses"]:
                self.breaking.append(f"{place} does not answer {status} any more")
                continue
            contents = self._at(self.new, new["responses"][status]).get("content", {})
            for mimetype, content in self._at(self.old, answer).get("content", {}).items():
                where = f"{place} {status}"
                if mimetype not in contents:
                    self.breaking.append(f"{where} is not {mimetype} any more")
                else:
                    self._schema(where, content["schema"], contents[mimetype]["schema"], False)
        if new.get("security") and not old.get("security"):
            self.breaking.append(f"{place} needs a token now")

    def _parameters(self, place: str, old: Json, new: Json) -> None:
        before = {(p["in"], p["name"]): p for p in self._all(self.old, old.get("parameters", ()))}
        after = {(p["in"], p["name"]): p for p in self._all(self.new, new.get("parameters", ()))}
        for (where, name), parameter in before.items():
            if (where, name) not in after:
                self.breaking.append(f"{place} does not take {name} any more")
                continue
            now = after[where, name]
            if now.get("required") and not parameter.get("required"):
                self.breaking.append(f"{place} needs {name} now")
            self._schema(f"{place} {name}", parameter["schema"], now["schema"], True)
        for (where, name), parameter in after.items():
            if (where, name) not in before:
                self.added.append(f"{new['operationId']}.{name}")
                if parameter.get("required"):
                    self.breaking.append(f"{place} needs {name} now")

    def _body(self, place: str, old: Json | None, new: Json | None) -> None:
        if old is None:
            if new is not None and new.get("required"):
                self.breaking.append(f"{place} needs a body now")
            return
        if new is None:
            self.breaking.append(f"{place} takes no body any more")
            return
        for mimetype, content in old["content"].items():
            if mimetype not in new["content"]:
                self.breaking.append(f"{place} does not take {mimetype} any more")
            else:
                now = new["content"][mimetype]["schema"]
                self._schema(f"{place} body", content["schema"], now, True)

    def _schema(self, where: str, old: Json, new: Json, sent: bool) -> None:
        """Compare what apps send (``sent``) or get."""
        references = old.get("$ref"), new.get("$ref")
        if references[0] is not None:
            where = references[0].rpartition("/")[2]
            if (references[0], str(references[1]), sent) in self._seen:
                return
            self._seen.add((references[0], str(references[1]), sent))
        old, new = self._at(self.old, old), self._at(self.new, new)
        self._types(where, old, new, sent)
        self._limits(where, old, new, sent)
        self._values(where, old, new, sent)
        self._fields(where, old, new, sent)
        if "items" in old and "items" in new:
            self._schema(f"{where}[]", old["items"], new["items"], sent)
        self._choices(where, old, new, sent)

    def _types(self, where: str, old: Json, new: Json, sent: bool) -> None:
        before, after = _types(old), _types(new)
        lost = before - after if sent else after - before
        # A whole number is a number, too.
        lost -= {"integer"} if "number" in (after if sent else before) else set()
        if before and after and lost:
            verb = "cannot be" if sent else "may be"
            self.breaking.append(f"{where} {verb} {' or '.join(sorted(lost))} now")

    def _limits(self, where: str, old: Json, new: Json, sent: bool) -> None:
        if not sent:
            return
        for name in (*LEAST, *MOST):
            before, after = old.get(name), new.get(name)
            narrower = after is not None and (
                before is None or (after > before if name in LEAST else after < before)
            )
            if narrower:
                self.breaking.append(f"{where} has a narrower {name}: {before} before, {after} now")
        if new.get("pattern") not in (None, old.get("pattern")):
            self.breaking.append(f"{where} has another pattern")

    def _values(self, where: str, old: Json, new: Json, sent: bool) -> None:
        before, after = _values(old), _values(new)
        if before is None and after is not None and sent:
            self.breaking.append(f"{where} takes certain values only now")
        if before is None or after is None:
            return
        for value in sorted(map(str, before - after)):
            verb = "is refused" if sent else "never comes"
            self.breaking.append(f"{where}: the value {value} {verb} any more")
        self.added += [f"{where}={value}" for value in sorted(map(str, after - before))]

    def _fields(self, where: str, old: Json, new: Json, sent: bool) -> None:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, field in before.items():
            if name not in after:
                if sent or "properties" in new:
                    self.breaking.append(f"{where}.{name} is gone")
                continue
            self._schema(f"{where}.{name}", field, after[name], sent)
        self.added += [f"{where}.{name}" for name in after if name not in before]
        needed, was_needed = set(new.get("required", ())), set(old.get("required", ()))
        if sent:
            wanted = sorted(needed - was_needed)
            self.breaking += [f"{where}.{name} has to be sent now" for name in wanted]
        else:
            missing = sorted(name for name in was_needed - needed if name in after)
            self.breaking += [f"{where}.{name} may be missing now" for name in missing]

    def _choices(self, where: str, old: Json, new: Json, sent: bool) -> None:
        for kind in ("oneOf", "anyOf"):
            if kind not in old or kind not in new:
                continue
            before, after = ({self._name(one): one for one in s[kind]} for s in (old, new))
            for name, one in before.items():
                if name in after:
                    self._schema(f"{where} ({name})", one, after[name], sent)
                else:
                    self.breaking.append(f"{where} is never {name} any more")
            self.added += [f"{where} ({name})" for name in after if name not in before]

    def _name(self, choice: Json) -> str:
        if "$ref" in choice:
            return str(choice["$ref"]).rpartition("/")[2]
        return "|".join(sorted(_types(choice))) or "anything"

    @staticmethod
    def _at(spec: Json, part: Json) -> Json:
        if "$ref" not in part:
            return part
        found: Any = spec
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return dict(found)

    def _all(self, spec: Json, parts: Any) -> list[Json]:
        return [self._at(spec, part) for part in parts]


def _operations(spec: Json) -> Iterator[tuple[str, Json]]:
    for path, operations in spec["paths"].items():
        shared = operations.get("parameters", [])
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                parameters = [*shared, *operation.get("parameters", [])]
                yield f"{method.upper()} {path}", {**operation, "parameters": parameters}


def _types(schema: Json) -> set[str]:
    found = schema.get("type", ())
    return {found} if isinstance(found, str) else set(found)


def _values(schema: Json) -> set[Any] | None:
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None
