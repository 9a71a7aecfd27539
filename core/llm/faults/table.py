"""What providers say, family by family: names of errors first, words where there are none.

A name (a code, a type, a status, a reason) decides alone. Words decide only where no name did, and none here fits two causes:
Gemini says "exceeded your current quota" of a limit per minute, so those words are no sign of an empty account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from core.deferred import deferred

Meaning = Literal["quota", "rate", "context", "filter", "key", "model", "overload", "permission"]

NAMES: dict[Meaning, str] = {
    # OpenAI · Azure · DeepSeek, Moonshot, DashScope, Zhipu · litellm proxy · OpenRouter
    "quota": "insufficient_quota billing_hard_limit_reached billing_not_active account_deactivated insufficient_user_quota"
    " insufficient_balance exceeded_current_quota_error arrearage budget_exceeded insufficient_credits"
    " insufficient_funds billing_error credits_exhausted",
    # OpenAI · Anthropic · Mistral · Gemini · Bedrock
    "rate": "rate_limit_exceeded rate_limit_error rate_limited requests tokens too_many_requests throttling_error"
    " resource_exhausted throttlingexception ratelimitreached 1300",
    # OpenAI · Anthropic · llama.cpp · litellm proxy
    "context": "context_length_exceeded model_context_window_exceeded exceed_context_size_error string_above_max_length"
    " contextwindowexceedederror context_window_exceeded",
    # OpenAI, Azure · DashScope · litellm
    "filter": "content_filter content_policy_violation responsibleaipolicyviolation moderation_blocked data_inspection_failed"
    " contentpolicyviolationerror content_filter_error",
    # OpenAI · Anthropic · Gemini · DeepSeek
    "key": "invalid_api_key authentication_error unauthenticated api_key_invalid invalid_authentication_error"
    " authenticationerror expired_api_key unrecognizedclientexception",
    # OpenAI · Anthropic · Gemini · Azure · litellm proxy
    "model": "model_not_found not_found_error not_found deploymentnotfound model_not_exist modelnotfound invalid_model"
    " notfounderror model_decommissioned resourcenotfoundexception",
    # Anthropic · OpenAI · Gemini · Bedrock
    "overload": "overloaded_error engine_overloaded unavailable service_unavailable server_overloaded overloaded"
    " serviceunavailableexception modelnotreadyexception api_error server_error internal",
    # Anthropic · Gemini · OpenAI
    "permission": "permission_error permission_denied unsupported_country_region_territory accessdeniedexception",
}

WORDS: tuple[tuple[Meaning, re.Pattern[str]], ...] = (
    (
        "quota",
        deferred(
            r"insufficient[_ ](?:quota|balance|credits?|funds)|credit balance is too low|out of credits|requires more credits"
            r"|billing (?:hard )?limit|budget has been exceeded|exceeded (?:your |the )?(?:monthly )?(?:budget|spend)"
            r"|used all available credits|spending limit|payment required",
            re.IGNORECASE,
        ),
    ),
    (
        "context",
        deferred(
            r"context[_ ](?:length|window|size)|maximum context|max(?:imum)?[_ ]?(?:model|prompt|input)[_ ]?(?:len|length|tokens)"
            r"|prompt is too long|too many (?:input )?tokens|input (?:is )?too long|exceed\w* (?:the )?(?:available )?context"
            r"|reduce the length|input token count|longer than the (?:maximum )?model|`inputs` tokens \+ `max_new_tokens` must be"
            r"|`inputs` must have less than|prompt token count of \d+ exceeds|prompt contains \d+ tokens|larger than the maximum",
            re.IGNORECASE,
        ),
    ),
    (
        "filter",
        deferred(
            r"content[_ ]?(?:filter|management policy|policy)|responsible_?ai|flagged|safety system|moderation"
            r"|content exists risk|inappropriate content|usage guidelines|data_inspection",
            re.IGNORECASE,
        ),
    ),
    (
        "key",
        deferred(
            r"api[_ ]?key (?:not valid|invalid|expired)|invalid[_ ]api[_ ]?key|incorrect api key|no auth credentials"
            r"|invalid x-api-key|authentication error, (?!no connected db)",
            re.IGNORECASE,
        ),
    ),
    (
        "model",
        deferred(
            r"model[_ ]not[_ ]found|not a valid model|unknown model|invalid model|no such model|llm provider not provided"
            r"|model\b.{0,120}\b(?:does not exist|not found|not exist)|no healthy deployments? for|no endpoints found for"
            r"|try pulling it first|model `?[\w./:-]+`? has been decommissioned",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
)

NO_TOOLS = deferred(
    r"does not support (?:tools?\b|tool[- ](?:use|calls?|calling)|function[- ]?call)"
    r"|do(?:es)? not support parameters: \[[^\]]*'tools'"
    r"|(?:tools?|tool[- ](?:use|calls?|calling)|function[- ]?calling) (?:is|are) not (?:supported|available)"
    r"|tool choice requires --enable-auto-tool-choice|no endpoints found that support tool use"
    r"|tools? param requires --jinja|`?tools`? (?:is|are) not supported|unsupported parameter: '?tools'?",
    re.IGNORECASE,
)
"""A model, or its server, that knows no tools: Ollama, vLLM, OpenRouter, llama.cpp, Groq, DeepSeek, litellm."""

NO_ATTACHMENTS = deferred(
    r"image_url[\"'`]? is only supported by certain models|unknown variant `(?:image_url|file)`"
    r"|(?:do(?:es)?(?: not|n['’]t) (?:support|accept|take)|cannot (?:read|process|take)|unsupported) (?:the |any )?"
    r"(?:image|vision|multi-?modal|pdf|file|attachment|document)(?:s?\b|_url\b)"
    r"|(?:image|vision|multi-?modal|pdf)s?(?:_url)?(?: inputs?| content| modality| parts?){0,2}"
    r" (?:is|are) not (?:supported|enabled|available|allowed)"
    r"|(?:file|document)s? (?:inputs?|content|parts?) (?:is|are) not (?:supported|enabled|available|allowed)"
    r"|no endpoints found that support (?:image|file|pdf) input|not a (?:multi-?modal|vision)(?:[ -]language)? model"
    r"|at most 0 images?|missing data required for image input|provide the mmproj"
    r"|unsupported content\[\]\.type|unknown (?:content )?part type|invalid value: '(?:image_url|file|input_file)'",
    re.IGNORECASE,
)
"""A model, or its server, that takes no image or file: OpenAI, DeepSeek, Mistral, Gemini, OpenRouter, vLLM, llama.cpp, Ollama."""

MODEL_ADVICE: dict[str, str] = {
    "azure": "the name after azure/ is the deployment's, not the model's; check AZURE_API_VERSION too",
    "bedrock": "check the model's id, and that its access is granted in this region (AWS_REGION_NAME)",
    "gemini": "check the model's name; Google lists them at ai.google.dev/gemini-api/docs/models",
    "ollama": "pull it first: `ollama pull` and the model's name",
    "ollama_chat": "pull it first: `ollama pull` and the model's name",
    "openrouter": "names are vendor/model there, as openrouter/openai/gpt-4o-mini",
    "hosted_vllm": "the name is what vLLM serves: --served-model-name, else the path it was started with",
    "vertex_ai": "check the model's name and VERTEXAI_LOCATION",
}
"""What to do about an unknown model, by provider."""


def _meanings() -> Iterator[tuple[str, Meaning]]:
    for meaning, names in NAMES.items():
        for name in names.split():
            yield name, meaning


_BY_NAME: dict[str, Meaning] = dict(_meanings())
_ORDER: tuple[Meaning, ...] = ("quota", "context", "filter", "model", "key", "permission", "rate", "overload")


def meaning_by_name(names: frozenset[str]) -> Meaning | None:
    """What the names of an error mean; the more telling one where there are several."""
    found = {_BY_NAME[name] for name in names if name in _BY_NAME}
    return next((meaning for meaning in _ORDER if meaning in found), None)


def meaning_by_words(message: str) -> Meaning | None:
    """What the sentence says; None where it fits no cause, or more than one."""
    return next((meaning for meaning, pattern in WORDS if pattern.search(message)), None)
