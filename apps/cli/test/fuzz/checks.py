"""Two checks of Schemathesis, for rules that a schema cannot state. docs/decisions/0047 has the reasons."""

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

# What a schema cannot test: checksums, the calendar and the clock, what another parameter means for this one.
BEYOND_SCHEMAS = (
    "valid checksum",
    "must be an RFC 3339 date-time",
    "is in the past",
    "have no health factor",
    "as many as its plan allows",
)
# A cursor is one that the API gave; how many points a window has depends on what is indexed.
DEPENDS_ON_DATA = ("invalid_cursor", "too_many_points")


@schemathesis.check
def valid_requests_are_accepted_or_refused_by_a_documented_rule(ctx, response, case):
    """A request that fits the schema is refused only by a rule that the description of the operation states: its first sentence, word for word."""
    try:
        positive_data_acceptance(ctx, response, case)
    except Failure:
        error = response.json()["error"]
        if error["code"] in DEPENDS_ON_DATA or any(text in error["message"] for text in BEYOND_SCHEMAS):
            return
        operation = case.operation.definition.raw
        if error["code"] == "reserved_parameter" and any("Reserved" in one["description"] for one in operation["parameters"]):
            return
        if error["message"].split(". ")[0] in operation.get("description", ""):
            return
        raise


@schemathesis.check
def wrong_credentials_are_refused(ctx, response, case):
    """A wrong credential is refused with 401 or 403; one of many from the same address with 429."""
    try:
        ignored_auth(ctx, response, case)
    except Failure as failure:
        if "got `429 Too Many Requests`" not in str(failure):
            raise
