// Spectral's recommended rules for OpenAPI, and the rules after OWASP's API top ten. What does not
// fit is off where it does not fit, with the reason.
import { oas } from "@stoplight/spectral-rulesets";
import { pattern } from "@stoplight/spectral-functions";
import owasp from "@stoplight/spectral-owasp-ruleset";

const at = (...pointers) => pointers.map((pointer) => `../../openapi.yaml#${pointer}`);
const path = (name) =>
  `/paths/${name.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}`;
const off = (...rules) => Object.fromEntries(rules.map((rule) => [`owasp:${rule}`, "off"]));

// For whoever watches the server; they are no part of what senders are counted for.
const WATCHED = ["/health", "/ready", "/metrics"].map(path);
// What is printed on the rule sheets, sentences, and the server's version: open to everybody.
const OPEN = ["rulesets", "rulesets/{ruleset_id}", "languages", "languages/{language_id}/page"]
  .concat(["rules", "rules/{rule_id}", "words"].map((name) => `rulesets/{ruleset_id}/${name}`))
  .map((name) => path(`/api/v1/${name}`))
  .concat(path("/api/v1"));
// Without a token because it keeps nothing, or because it is how one gets a token: a join code or the
// computer's own secret is needed, guesses are counted, and work is counted by address.
const WITHOUT_TOKEN = ["join", "check", "computers/place", "records/replay"].map((name) =>
  path(`/api/v1/${name}`),
);

export default {
  extends: [[oas, "recommended"], owasp],
  rules: {
    // The rule as it is published fails at a property called "in", and then looks for a name in the
    // name. This is the same rule, at the parameters alone.
    "owasp:api2:2023-no-credentials-in-url": {
      given: "$.paths[*]..parameters[?(@ && @.in && @.in.match && @.in.match(/query|path/))].name",
      severity: "error",
      then: {
        function: pattern,
        functionOptions: {
          notMatch:
            "/^.*(client_?secret|token|access_?token|refresh_?token|id_?token|password|secret|api-?key).*$/i",
        },
      },
    },
  },
  overrides: [
    {
      files: at(...WATCHED),
      rules: off(
        "api2:2023-read-restricted",
        "api4:2023-rate-limit",
        "api4:2023-rate-limit-responses-429",
        "api8:2023-define-error-responses-401",
      ),
    },
    {
      files: at(...OPEN),
      rules: off("api2:2023-read-restricted", "api8:2023-define-error-responses-401"),
    },
    {
      files: at(...WITHOUT_TOKEN),
      rules: off("api2:2023-write-restricted", "api8:2023-define-error-responses-401"),
    },
    // The id of a token is no secret: it names the token in lists, and opens nothing.
    { files: at("/components/parameters/TokenId"), rules: off("api2:2023-no-credentials-in-url") },
    // Numbers of entries of one table's log. Its own id is random, and its token is checked first.
    {
      files: at(...["QuestionId", "CardId", "ProposalId"].map((name) => `/components/parameters/${name}`)),
      rules: off("api1:2023-no-numeric-ids"),
    },
  ],
};
