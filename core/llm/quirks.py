"""What is known of single providers, servers and models: one table, which the code asks and `docs/providers.md` prints.

To add something, add a row here, with the page or the thread it was learnt from, and an answer that shows it as a fixture in
`tests/fixtures/providers`. No other module here names a provider (`tests/core/llm/test_quirks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

NOT_NOTED = "not noted"
"""Where a row was learnt that came without a page."""
_LITELLM = "https://docs.litellm.ai/docs/providers"
_OPENAI_ERRORS = "https://platform.openai.com/docs/guides/error-codes"
_OPENAI_CHAT = "https://platform.openai.com/docs/api-reference/chat/object"
_OPENAI_RESPONSES = "https://platform.openai.com/docs/api-reference/responses"
_OPENAI_REASONING = "https://platform.openai.com/docs/guides/reasoning"
_OPENAI_SCHEMAS = "https://platform.openai.com/docs/guides/structured-outputs"
_OPENAI_UNVERIFIED = "https://github.com/charmbracelet/crush/issues/422"
_AZURE = "https://learn.microsoft.com/en-us/azure/ai-services/openai/reference"
_AZURE_FILTER = "https://learn.microsoft.com/en-us/azure/ai-services/openai/concepts/content-filter"
_ANTHROPIC_ERRORS = "https://docs.anthropic.com/en/api/errors"
_ANTHROPIC_STOPS = "https://docs.anthropic.com/en/api/handling-stop-reasons"
_ANTHROPIC_THINKING = "https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking"
_GEMINI_ERRORS = "https://ai.google.dev/gemini-api/docs/troubleshooting"
_GEMINI_ANSWER = "https://ai.google.dev/api/generate-content"
_GEMINI_SIGNATURES = "https://ai.google.dev/gemini-api/docs/thought-signatures"
_GEMINI_SCHEMAS = "https://ai.google.dev/gemini-api/docs/structured-output"
_GEMMA_CALLS = "https://ai.google.dev/gemma/docs/capabilities/text/function-calling-gemma4"
_DEEPSEEK_ERRORS = "https://api-docs.deepseek.com/quick_start/error_codes"
_DEEPSEEK_CHAT = "https://api-docs.deepseek.com/api/create-chat-completion"
_DEEPSEEK_THINKING = "https://api-docs.deepseek.com/guides/reasoning_model"
_GROQ_ERRORS = "https://console.groq.com/docs/errors"
_MISTRAL = "https://docs.mistral.ai/api/"
_MISTRAL_THINKING = "https://docs.mistral.ai/capabilities/reasoning/"
_OPENROUTER_ERRORS = "https://openrouter.ai/docs/api/reference/errors-and-debugging"
_OPENROUTER_THINKING = "https://openrouter.ai/docs/use-cases/reasoning-tokens"
_XAI_ERRORS = "https://docs.x.ai/docs/key-information/debugging"
_BEDROCK = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"
_TOGETHER_ERRORS = "https://docs.together.ai/docs/error-codes"
_TOGETHER_CHAT = "https://docs.together.ai/reference/chat-completions"
_TGI = "https://huggingface.co/docs/text-generation-inference/messages_api"
_VLLM = "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"
_VLLM_THINKING = "https://docs.vllm.ai/en/latest/features/reasoning_outputs.html"
_OLLAMA = "https://github.com/ollama/ollama/blob/main/docs/openai.md"
_LLAMACPP = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md"
_LITELLM_ERRORS = "https://docs.litellm.ai/docs/exception_mapping"


# who is asked where


@dataclass(frozen=True, slots=True)
class Service:
    """A provider or a server, by the prefix that litellm gives its models."""

    prefix: str
    keys: tuple[str, ...] = ()
    """The variables any one of which holds its key, the usual one first; none where it has its own ways."""
    name: str = ""
    """As people write it; empty where the prefix does."""
    direct: bool = False
    """Whether it takes plain OpenAI chat completions, so that the direct path can ask it."""
    base: str | None = None
    """Where the direct path usually finds it; None: only where the user says."""
    base_variables: tuple[str, ...] = ()
    appends_v1: bool = False
    """Whether its address is usually given without `/v1`."""
    streams: bool = False
    """Whether its streams come through litellm as its whole answers do, tokens included: it was tried."""
    schemas: str = ""
    """Its name in the price table, where its schemas bind the answer and leave the thinking alone."""
    unknown_model: str = ""
    """What to do where it knows no such model."""
    learnt: tuple[str, ...] = (_LITELLM,)


PLAIN = "openai"
"""The prefix of the provider whose protocol the direct path speaks; a model's name without a prefix is its."""
PLAIN_MODELS = re.compile(r"(gpt-|o\d|chatgpt-|ft:gpt-)")
"""How the names of its models begin, where the price table does not know them."""
RESPONSES = "responses/"
"""Begins the name of one of its models that is to be asked by the Responses API: `openai/responses/o4-mini`."""
RESPONSES_INCLUDE = ("reasoning.encrypted_content",)
"""What the Responses API is to send along, so that its reasoning can be returned with the results of the tools that it called."""

SERVICES: tuple[Service, ...] = (
    Service("ai21", ("AI21_API_KEY",)),
    Service("anthropic", ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), "Anthropic", streams=True),
    Service(
        "azure",
        ("AZURE_API_KEY",),
        "Azure OpenAI",
        streams=True,
        schemas="azure",
        unknown_model="the name after azure/ is the deployment's, not the model's; check AZURE_API_VERSION too",
        learnt=(_LITELLM, _AZURE),
    ),
    Service("azure_ai", ("AZURE_AI_API_KEY",)),
    Service("baseten", ("BASETEN_API_KEY",)),
    Service(
        "bedrock",
        name="Bedrock",
        unknown_model="check the model's id, and that its access is granted in this region (AWS_REGION_NAME)",
        learnt=(_LITELLM, _BEDROCK),
    ),
    Service("cerebras", ("CEREBRAS_API_KEY",)),
    Service("cloudflare", ("CLOUDFLARE_API_KEY",)),
    Service("codestral", ("CODESTRAL_API_KEY",)),
    Service("cohere", ("COHERE_API_KEY",), "Cohere"),
    Service("cohere_chat", ("COHERE_API_KEY",)),
    Service("custom_openai", ("OPENAI_LIKE_API_KEY",), direct=True, base_variables=("OPENAI_LIKE_API_BASE",)),
    Service("dashscope", ("DASHSCOPE_API_KEY",), "DashScope", streams=True),
    Service("databricks", ("DATABRICKS_API_KEY",)),
    Service("deepinfra", ("DEEPINFRA_API_KEY",)),
    Service("deepseek", ("DEEPSEEK_API_KEY",), "DeepSeek", streams=True),
    Service("featherless_ai", ("FEATHERLESS_AI_API_KEY",)),
    Service(
        "fireworks_ai", ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY", "FIREWORKSAI_API_KEY"), "Fireworks", streams=True
    ),
    Service("friendliai", ("FRIENDLIAI_API_KEY", "FRIENDLI_TOKEN")),
    Service(
        "gemini",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "Gemini",
        streams=True,
        schemas="gemini",
        unknown_model="check the model's name; Google lists them at ai.google.dev/gemini-api/docs/models",
        learnt=(_LITELLM, _GEMINI_SCHEMAS),
    ),
    Service("github", ("GITHUB_API_KEY",)),
    Service(
        "groq",
        ("GROQ_API_KEY",),
        "Groq",
        direct=True,
        base="https://api.groq.com/openai/v1",
        base_variables=("GROQ_API_BASE",),
        streams=True,
        schemas="groq",
        learnt=(_LITELLM, "https://console.groq.com/docs/api-reference"),
    ),
    Service(
        "hosted_vllm",
        ("HOSTED_VLLM_API_KEY",),
        "vLLM",
        direct=True,
        base_variables=("HOSTED_VLLM_API_BASE",),
        streams=True,
        unknown_model="the name is what vLLM serves: --served-model-name, else the path it was started with",
        learnt=(_LITELLM, _VLLM),
    ),
    Service("huggingface", ("HUGGINGFACE_API_KEY", "HF_TOKEN")),
    Service("hyperbolic", ("HYPERBOLIC_API_KEY",)),
    Service("lambda_ai", ("LAMBDA_API_KEY",)),
    Service(
        "litellm_proxy",
        ("LITELLM_PROXY_API_KEY",),
        "litellm proxy",
        direct=True,
        base_variables=("LITELLM_PROXY_API_BASE",),
        streams=True,
    ),
    Service(
        "llamafile",
        ("LLAMAFILE_API_KEY",),
        direct=True,
        base="http://127.0.0.1:8080/v1",
        base_variables=("LLAMAFILE_API_BASE",),
    ),
    Service(
        "lm_studio",
        ("LM_STUDIO_API_KEY",),
        "LM Studio",
        direct=True,
        base="http://127.0.0.1:1234/v1",
        base_variables=("LM_STUDIO_API_BASE",),
    ),
    Service("meta_llama", ("LLAMA_API_KEY",)),
    Service("minimax", ("MINIMAX_API_KEY",)),
    Service("mistral", ("MISTRAL_API_KEY",), "Mistral", streams=True),
    Service("moonshot", ("MOONSHOT_API_KEY",), "Moonshot", streams=True),
    Service("nebius", ("NEBIUS_API_KEY",)),
    Service("novita", ("NOVITA_API_KEY",)),
    Service("nscale", ("NSCALE_API_KEY",)),
    Service("nvidia_nim", ("NVIDIA_NIM_API_KEY",)),
    Service(
        "ollama",
        ("OLLAMA_API_KEY",),
        "Ollama",
        direct=True,
        base="http://127.0.0.1:11434/v1",
        base_variables=("OLLAMA_API_BASE",),
        appends_v1=True,
        unknown_model="pull it first: `ollama pull` and the model's name",
        learnt=(_LITELLM, _OLLAMA),
    ),
    Service(
        "ollama_chat",
        ("OLLAMA_API_KEY",),
        direct=True,
        base="http://127.0.0.1:11434/v1",
        base_variables=("OLLAMA_API_BASE",),
        appends_v1=True,
        unknown_model="pull it first: `ollama pull` and the model's name",
        learnt=(_LITELLM, _OLLAMA),
    ),
    Service(
        "openai",
        ("OPENAI_API_KEY",),
        "OpenAI",
        direct=True,
        base="https://api.openai.com/v1",
        base_variables=("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        streams=True,
        schemas="openai",
        learnt=(_LITELLM, _OPENAI_CHAT, _OPENAI_SCHEMAS),
    ),
    Service("openai_like", ("OPENAI_LIKE_API_KEY",), direct=True, base_variables=("OPENAI_LIKE_API_BASE",)),
    Service(
        "openrouter",
        ("OPENROUTER_API_KEY", "OR_API_KEY"),
        "OpenRouter",
        streams=True,
        unknown_model="names are vendor/model there, as openrouter/openai/gpt-4o-mini",
    ),
    Service("perplexity", ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY")),
    Service("replicate", ("REPLICATE_API_KEY", "REPLICATE_API_TOKEN")),
    Service("sambanova", ("SAMBANOVA_API_KEY",)),
    Service("together_ai", ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"), "Together", streams=True),
    Service("vercel_ai_gateway", ("VERCEL_AI_GATEWAY_API_KEY",)),
    Service(
        "vertex_ai",
        name="Vertex AI",
        schemas="vertex_ai-language-models",
        unknown_model="check the model's name and VERTEXAI_LOCATION",
        learnt=(_LITELLM, _GEMINI_SCHEMAS),
    ),
    Service("volcengine", ("VOLCENGINE_API_KEY",)),
    Service("watsonx", ("WATSONX_API_KEY", "WATSONX_APIKEY")),
    Service("xai", ("XAI_API_KEY",), "xAI", streams=True, schemas="xai"),
    Service("zai", ("ZAI_API_KEY",)),
)
BY_PREFIX: dict[str, Service] = {row.prefix: row for row in SERVICES}

_TEXT_PREFIXES = """
    a2a ai21 ai21_chat aiml aiohttp_openai amazon_nova anthropic anthropic_text apertis auto_router azure azure_ai
    azure_text baseten bedrock bedrock_mantle bytez cerebras charity_engine chatgpt chutes clarifai cloudflare codestral
    cognition cohere cohere_chat cometapi compactifai cortecs custom dashscope databricks datarobot deepinfra deepseek
    docker_model_runner dotprompt edenai empower featherless_ai fireworks_ai friendliai galadriel gdc gemini gigachat
    github github_copilot gradient_ai groq helicone heroku huggingface hyperbolic inception lambda_ai langflow langgraph
    lemonade libertai litellm_agent maritalk meta_llama minimax mistral modelscope moonshot morph nano-gpt nebius
    neosantara nlp_cloud novita nscale nvidia_nim nvidia_riva oci oobabooga openrouter ovhcloud parasail perplexity
    petals poe predibase publicai qwen_ai_platform qwencloud ragflow replicate sagemaker sagemaker_chat sagemaker_nova
    sambanova sap scaleway snowflake synthetic tencent tensormesh text-completion-codestral text-completion-inception
    text-completion-openai together_ai triton v0 vercel_ai_gateway vertex_ai vertex_ai_beta vllm volcengine wandb watsonx
    watsonx_text xai xiaomi_mimo xinference zai
"""
PREFIXES: frozenset[str] = frozenset(_TEXT_PREFIXES.split()) | {row.prefix for row in SERVICES if row.direct}
"""The prefixes that litellm reads as a provider of text; any other `a/b` is a model's own name."""


@dataclass(frozen=True, slots=True)
class Local:
    """A server of one's own, by the port that it usually listens on."""

    port: int
    name: str
    learnt: str


LOCAL: tuple[Local, ...] = (
    Local(11434, "Ollama", _OLLAMA),
    Local(8000, "vLLM", _VLLM),
    Local(8080, "llama.cpp", _LLAMACPP),
    Local(1234, "LM Studio", "https://lmstudio.ai/docs/api/openai-api"),
    Local(30000, "SGLang", "https://docs.sglang.ai/basic_usage/openai_api_completions.html"),
)


@dataclass(frozen=True, slots=True)
class SentLimit:
    """Models for which litellm sends a limit of tokens of its own, where nobody gave one and its price table has none."""

    who: str
    part: str
    """What their names hold, in lower case."""
    tokens: int
    learnt: str


SENT_LIMIT = SentLimit("Claude", "claude", 4096, "https://docs.litellm.ai/docs/providers/anthropic")


# what a request can do without


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a provider may refuse, in the spellings of the providers' messages."""

    name: str
    spellings: tuple[str, ...]
    who: str
    learnt: tuple[str, ...]
    instead: str = ""
    """The name under which it is sent where the refusal names that one."""


PARAMETERS: tuple[Parameter, ...] = (
    Parameter("max_completion_tokens", ("max_completion_tokens",), "OpenAI", (_OPENAI_REASONING,)),
    Parameter(
        "max_tokens",
        ("max_tokens", "maxOutputTokens", "max_output_tokens", "max_new_tokens"),
        "OpenAI, Gemini, TGI",
        (_OPENAI_REASONING, _GEMINI_ANSWER, "https://github.com/huggingface/chat-ui/issues/340"),
        instead="max_completion_tokens",
    ),
    Parameter(
        "temperature",
        ("temperature",),
        "OpenAI, Anthropic",
        (
            "https://github.com/diffbot/code-gpt-docs/issues/445",
            "https://github.com/MayDay-wpf/snow-app/issues/42",
            "https://github.com/danielmiessler/Fabric/issues/2109",
        ),
    ),
    Parameter("seed", ("seed",), "Mistral", (_MISTRAL,)),
    Parameter(
        "reasoning_effort",
        (
            "reasoning_effort",
            "reasoningEffort",
            "reasoning.effort",
            "thinking",
            "thinking_config",
            "thinkingConfig",
            "thinking_level",
            "thinkingLevel",
            "output_config",
        ),
        "OpenAI, xAI, Anthropic, Gemini, Ollama",
        (
            _OPENAI_REASONING,
            "https://docs.x.ai/docs/guides/reasoning",
            _ANTHROPIC_THINKING,
            "https://ai.google.dev/gemini-api/docs/thinking",
            "https://github.com/musistudio/claude-code-router/issues/1046",
        ),
    ),
    Parameter(
        "response_format",
        ("response_format", "response_schema", "responseSchema", "json_schema", "json_object", "guided_json"),
        "OpenAI, Gemini, vLLM",
        (_OPENAI_SCHEMAS, _GEMINI_SCHEMAS, _VLLM),
    ),
    Parameter(
        "include",
        ("include", "reasoning.encrypted_content", "Encrypted content"),
        "OpenAI",
        ("https://github.com/pydantic/pydantic-ai/issues/2865",),
    ),
    Parameter("stream_options", ("stream_options", "streamOptions", "include_usage"), "several", (NOT_NOTED,)),
    Parameter("stream", ("stream", "streaming"), "OpenAI", (_OPENAI_UNVERIFIED,)),
)


# tool calls and thinking in a text


@dataclass(frozen=True, slots=True)
class CallForm:
    """How models write tool calls into their text: between two marks."""

    name: str
    """As a run says in which form its calls came."""
    opens: str
    closes: tuple[str, ...]
    """Any of these ends a call; so does the next one, and the end of the text."""
    reading: str
    """The reader of what stands between (`modex.core.llm.textcalls.readers`)."""
    who: str
    learnt: tuple[str, ...]
    around: tuple[str, ...] = ()
    """Marks around all calls, which are no part of the answer either."""


UNMARKED = "unmarked"
"""The name of the form that has no marks: JSON, a dictionary, Python."""
_VLLM_TOOLS = "https://docs.vllm.ai/en/latest/features/tool_calling.html"
_INVOKED = ("<minimax:tool_call>", "</minimax:tool_call>", "<function_calls>", "</function_calls>")
_DSML = ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>")
_DEEPSEEK_MARKS = ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜end▁of▁sentence｜>")
_KIMI_MARKS = ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>")
_HARMONY_MARKS = (
    "<|start|>assistant",
    "<|channel|>commentary",
    "<|channel|>analysis",
    "<|message|>",
    "<|end|>",
    "<|call|>",
)

CALL_FORMS: tuple[CallForm, ...] = (
    CallForm(
        "hermes",
        "<tool_call>",
        ("</tool_call>",),
        "tagged",
        "Hermes, Qwen, Qwen-Coder, GLM, Granite",
        (
            "https://github.com/NousResearch/Hermes-Function-Calling",
            "https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct/blob/main/chat_template.jinja",
            "https://huggingface.co/zai-org/GLM-4.5/blob/main/chat_template.jinja",
        ),
    ),
    CallForm("gemma", "<|tool_call>", ("<tool_call|>",), "keys", "Gemma", (_GEMMA_CALLS,)),
    CallForm(
        "functiongemma",
        "<start_function_call>",
        ("<end_function_call>",),
        "keys",
        "FunctionGemma",
        ("https://ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices",),
    ),
    CallForm(
        "function tag",
        "<function=",
        ("</function>",),
        "function",
        "Llama 3, Qwen-Coder",
        ("https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1/",),
        ("<seed:tool_call>", "</seed:tool_call>"),
    ),
    CallForm(
        "mistral",
        "[TOOL_CALLS]",
        ("</s>",),
        "list or named",
        "Mistral",
        (
            "https://docs.mistral.ai/cookbook/concept-deep-dive-tokenization-tool_calling",
            "https://github.com/mistralai/mistral-common",
        ),
    ),
    CallForm(
        "deepseek",
        "<｜tool▁call▁begin｜>",
        ("<｜tool▁call▁end｜>",),
        "marked",
        "DeepSeek",
        ("https://huggingface.co/deepseek-ai/DeepSeek-V3.1/blob/main/README.md",),
        _DEEPSEEK_MARKS,
    ),
    CallForm(
        "deepseek dsml",
        "<｜DSML｜invoke name=",
        ("</｜DSML｜invoke>",),
        "invoke",
        "DeepSeek",
        ("https://huggingface.co/deepseek-ai/DeepSeek-V3.2/blob/main/encoding/README.md",),
        _DSML,
    ),
    CallForm(
        "kimi",
        "<|tool_call_begin|>",
        ("<|tool_call_end|>",),
        "marked",
        "Kimi",
        ("https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md",),
        _KIMI_MARKS,
    ),
    CallForm(
        "bracketed list",
        "<|tool_call|>",
        ("<|/tool_call|>", "<|end_of_text|>"),
        "json",
        "Phi, Granite",
        ("https://huggingface.co/microsoft/Phi-4-mini-instruct", "https://www.ibm.com/granite/docs/models/granite"),
    ),
    CallForm(
        "function_call",
        "<function_call>",
        ("</function_call>",),
        "json",
        "Granite",
        ("https://huggingface.co/ibm-granite/granite-20b-functioncalling",),
    ),
    CallForm(
        "tool_calls",
        "<tool_calls>",
        ("</tool_calls>",),
        "json",
        "Jamba, MiniMax, Hunyuan",
        (
            "https://huggingface.co/ai21labs/AI21-Jamba-1.5-Mini",
            "https://huggingface.co/MiniMaxAI/MiniMax-M1-80k/blob/main/docs/function_call_guide.md",
        ),
    ),
    CallForm(
        "internlm",
        "<|action_start|><|plugin|>",
        ("<|action_end|>",),
        "json",
        "InternLM",
        ("https://github.com/InternLM/InternLM/blob/main/chat/chat_format.md",),
        ("<|im_end|>",),
    ),
    CallForm(
        "harmony",
        "to=functions.",
        ("<|call|>", "<|end|>"),
        "channel",
        "gpt-oss",
        ("https://cookbook.openai.com/articles/openai-harmony",),
        _HARMONY_MARKS,
    ),
    CallForm(
        "invoke",
        "<invoke name=",
        ("</invoke>",),
        "invoke",
        "MiniMax, Claude",
        (
            "https://huggingface.co/MiniMaxAI/MiniMax-M2/blob/main/docs/tool_calling_guide.md",
            "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview",
        ),
        _INVOKED,
    ),
    CallForm(
        "old invoke",
        "<invoke>",
        ("</invoke>",),
        "old invoke",
        "Claude",
        ("https://github.com/anthropics/anthropic-tools",),
        _INVOKED,
    ),
    CallForm(
        "step",
        "<steptml:invoke name=",
        ("</steptml:invoke>",),
        "invoke",
        "Step",
        ("https://huggingface.co/stepfun-ai/step3",),
        (
            "<｜tool_calls_begin｜>",
            "<｜tool_calls_end｜>",
            "<｜tool_call_begin｜>function<｜tool_sep｜>",
            "<｜tool_call_end｜>",
        ),
    ),
    CallForm(
        "function_calls",
        "<function_calls>",
        ("</function_calls>",),
        "python",
        "OLMo",
        ("https://huggingface.co/allenai/Olmo-3-7B-Instruct",),
    ),
    CallForm(
        "cohere",
        "<|START_ACTION|>",
        ("<|END_ACTION|>",),
        "json",
        "Cohere",
        ("https://docs.cohere.com/docs/command-r7b-hf",),
    ),
    CallForm(
        "lfm",
        "<|tool_call_start|>",
        ("<|tool_call_end|>",),
        "python",
        "LFM",
        ("https://docs.liquid.ai/docs/key-concepts/tool-use",),
    ),
    CallForm(
        "python_start",
        "<|python_start|>",
        ("<|python_end|>", "<|eom|>", "<|eot|>"),
        "python",
        "Llama 4",
        ("https://www.llama.com/docs/model-cards-and-prompt-formats/llama4/",),
    ),
    CallForm(
        "python_tag",
        "<|python_tag|>",
        ("<|eom_id|>", "<|eot_id|>"),
        "python",
        "Llama 3",
        ("https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1/",),
    ),
    CallForm(
        "toolcall",
        "<TOOLCALL>",
        ("</TOOLCALL>",),
        "json",
        "Nemotron",
        ("https://huggingface.co/nvidia/NVIDIA-Nemotron-Nano-9B-v2",),
    ),
    CallForm(
        "apertus",
        "<|tools_prefix|>",
        ("<|tools_suffix|>",),
        "by name",
        "Apertus",
        ("https://huggingface.co/swiss-ai/Apertus-8B-Instruct-2509",),
    ),
    CallForm(
        "functools",
        "functools[",
        (),
        "functools",
        "Phi, Firefunction",
        (_VLLM_TOOLS,),
    ),
    CallForm(
        "qwen lines",
        "✿FUNCTION✿:",
        ("✿RESULT✿", "✿RETURN✿"),
        "lines",
        "Qwen",
        ("https://github.com/QwenLM/Qwen-Agent",),
    ),
    CallForm(
        "action",
        "Action:",
        ("Observation:", "\nThought:"),
        "lines",
        "Cohere, ReAct",
        ("https://docs.cohere.com/docs/prompting-command-r", "https://arxiv.org/abs/2210.03629"),
    ),
)


@dataclass(frozen=True, slots=True)
class Tags:
    """How models set thinking apart in their text: patterns of the tag that opens it and of the one that closes it."""

    opens: str
    closes: str
    who: str
    mark: str
    """A word that stands in both, by which a text without any is passed over."""
    learnt: tuple[str, ...]
    turn: str = ""
    """What such a model may write behind its answer, where the server leaves it there."""


TAGS: tuple[Tags, ...] = (
    Tags(r"<think(?:ing)?>", r"</think(?:ing)?>", "DeepSeek, Qwen, Mistral", "think", (_VLLM_THINKING,)),
    Tags(r"<\|channel>thought\b", r"<channel\|>", "Gemma", "channel", (_GEMMA_CALLS,), turn="<turn|>"),
)


# names and words

Topic = Literal[
    # why there is no answer
    "quota", "rate", "context", "filter", "key", "model", "overload", "permission",
    # what a model or its server cannot do
    "no tools", "no attachments", "status of refused attachments", "no stream", "schema not kept", "responses only",
    # of a parameter
    "parameter refused", "value refused", "only the default",
    # why an answer ended
    "ends: stop", "ends: length", "ends: tool_calls", "ends: filter", "ends: context", "ends: failed",
    # where an answer says it
    "thinking field", "thinking part", "thinking blocks", "thinking blocks by index", "whole items", "wanted back",
    "wanted back with a call", "wanted back aside", "usage aside", "cached tokens", "blocked prompt", "call's index",
    "end without a reason",
    # where an error says it
    "error's place", "error's names outside", "error's names inside", "error's words behind", "error's code behind",
    "wait in details", "wait header, milliseconds", "speaks TLS",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuirkRow:
    """Names (codes, types, fields; in lower case where they are codes) or words by which somebody says what `topic` says."""

    topic: Topic
    who: str
    names: tuple[str, ...] = ()
    words: str = ""
    """A regular expression, in any case."""
    learnt: tuple[str, ...] = (NOT_NOTED,)
    note: str = ""


def _row(topic: Topic, who: str, names: str = "", *learnt: str, words: str = "", note: str = "") -> QuirkRow:
    return QuirkRow(topic, who, tuple(names.split()), words, learnt or (NOT_NOTED,), note)


ROWS: tuple[QuirkRow, ...] = (
    _row(
        "quota",
        "OpenAI",
        "insufficient_quota billing_hard_limit_reached billing_not_active account_deactivated",
        _OPENAI_ERRORS,
        words=r"insufficient[_ ](?:quota|balance|credits?|funds)|billing (?:hard )?limit",
    ),
    _row("quota", "One API", "insufficient_user_quota", "https://github.com/songquanpeng/one-api/issues/1270"),
    _row("quota", "DeepSeek", "insufficient_balance", _DEEPSEEK_ERRORS),
    _row(
        "quota", "Moonshot", "exceeded_current_quota_error", "https://forum.moonshot.ai/t/429-insufficient-balance/244"
    ),
    _row(
        "quota",
        "DashScope",
        "arrearage",
        "https://help.aliyun.com/en/model-studio/tingwu-agent-error-information-query",
    ),
    _row(
        "quota",
        "litellm proxy",
        "budget_exceeded",
        "https://github.com/BerriAI/litellm/issues/22726",
        "https://github.com/OWASP/OpenCRE/pull/1102",
        words=r"budget has been exceeded|exceeded (?:your |the )?(?:monthly )?(?:budget|spend)",
    ),
    _row(
        "quota",
        "OpenRouter",
        "",
        _OPENROUTER_ERRORS,
        words="requires more credits|payment required",
    ),
    _row("quota", "Anthropic", "billing_error", _ANTHROPIC_ERRORS, words="credit balance is too low"),
    _row("quota", "xAI", "", _XAI_ERRORS, words="used all available credits|spending limit"),
    _row(
        "quota",
        "several",
        "insufficient_credits insufficient_funds credits_exhausted",
        words="out of credits",
    ),
    _row(
        "rate",
        "OpenAI, Groq",
        "rate_limit_exceeded requests tokens",
        "https://platform.openai.com/docs/guides/rate-limits",
    ),
    _row("rate", "Anthropic", "rate_limit_error", _ANTHROPIC_ERRORS),
    _row("rate", "Mistral", "rate_limited 1300", _MISTRAL),
    _row("rate", "Gemini", "resource_exhausted", "https://ai.google.dev/gemini-api/docs/rate-limits"),
    _row("rate", "Bedrock", "throttlingexception", _BEDROCK),
    _row("rate", "litellm proxy", "throttling_error", "https://ai.google.dev/gemini-api/docs/rate-limits"),
    _row("rate", "several", "too_many_requests ratelimitreached"),
    _row(
        "context",
        "OpenAI",
        "context_length_exceeded string_above_max_length",
        _OPENAI_ERRORS,
        words=r"context[_ ](?:length|window|size)|maximum context|reduce the length",
    ),
    _row(
        "context",
        "Anthropic",
        "model_context_window_exceeded",
        _ANTHROPIC_STOPS,
        _ANTHROPIC_ERRORS,
        words="prompt is too long",
    ),
    _row(
        "context",
        "llama.cpp",
        "exceed_context_size_error",
        "https://github.com/ggml-org/llama.cpp/pull/15780",
        words=r"exceed\w* (?:the )?(?:available )?context",
    ),
    _row("context", "litellm proxy", "contextwindowexceedederror context_window_exceeded", _LITELLM_ERRORS),
    _row("context", "Gemini", "", _GEMINI_ERRORS, words="input token count"),
    _row("context", "Bedrock", "", _BEDROCK, words="input (?:is )?too long|too many (?:input )?tokens"),
    _row("context", "Mistral", "", _MISTRAL, words=r"prompt contains \d+ tokens"),
    _row(
        "context",
        "TGI, Together",
        "",
        "https://github.com/huggingface/chat-ui/issues/340",
        "https://github.com/h2oai/h2ogpt/issues/373",
        _TOGETHER_ERRORS,
        words=r"`inputs` tokens \+ `max_new_tokens` must be|`inputs` must have less than",
    ),
    _row(
        "context",
        "several",
        words=r"max(?:imum)?[_ ]?(?:model|prompt|input)[_ ]?(?:len|length|tokens)|longer than the (?:maximum )?model"
        r"|prompt token count of \d+ exceeds|larger than the maximum",
    ),
    _row(
        "filter",
        "OpenAI, Azure",
        "content_filter content_policy_violation responsibleaipolicyviolation moderation_blocked content_filter_error",
        _AZURE_FILTER,
        _OPENAI_CHAT,
        words=r"content[_ ]?(?:filter|management policy|policy)|responsible_?ai|safety system",
    ),
    _row("filter", "OpenRouter", "", _OPENROUTER_ERRORS, words="flagged|moderation"),
    _row("filter", "DeepSeek", "", "https://github.com/666ghj/BettaFish/issues/108", words="content exists risk"),
    _row("filter", "DashScope", "data_inspection_failed", words="inappropriate content|data_inspection"),
    _row("filter", "litellm proxy", "contentpolicyviolationerror", _LITELLM_ERRORS),
    _row("filter", "several", words="usage guidelines"),
    _row(
        "key",
        "OpenAI, Groq, xAI",
        "invalid_api_key expired_api_key",
        _OPENAI_ERRORS,
        _GROQ_ERRORS,
        _XAI_ERRORS,
        words=r"invalid[_ ]api[_ ]?key|incorrect api key",
    ),
    _row(
        "key",
        "Anthropic, DeepSeek, llama.cpp",
        "authentication_error",
        _ANTHROPIC_ERRORS,
        _DEEPSEEK_ERRORS,
        _LLAMACPP,
        words="invalid x-api-key",
    ),
    _row(
        "key",
        "Gemini",
        "unauthenticated api_key_invalid",
        _GEMINI_ERRORS,
        words="api[_ ]?key (?:not valid|invalid|expired)",
    ),
    _row("key", "OpenRouter", "", _OPENROUTER_ERRORS, words="no auth credentials"),
    _row(
        "key",
        "litellm proxy",
        "authenticationerror",
        _LITELLM_ERRORS,
        "https://github.com/BerriAI/litellm-docs/pull/948",
        words=r"authentication error, (?!no connected db)",
        note="no connected database: the proxy's own fault, not the key's",
    ),
    _row("key", "several", "invalid_authentication_error unrecognizedclientexception"),
    _row(
        "model",
        "OpenAI, Groq",
        "model_not_found model_decommissioned",
        _OPENAI_ERRORS,
        _GROQ_ERRORS,
        "https://github.com/crewAIInc/crewAI/issues/1976",
        words=r"model[_ ]not[_ ]found|model `?[\w./:-]+`? has been decommissioned",
    ),
    _row("model", "Anthropic", "not_found_error", _ANTHROPIC_ERRORS),
    _row("model", "Gemini", "not_found", _GEMINI_ERRORS),
    _row("model", "Azure", "deploymentnotfound", _AZURE),
    _row("model", "vLLM", "notfounderror", _VLLM),
    _row("model", "Mistral", "invalid_model", _MISTRAL),
    _row("model", "OpenRouter", "", _OPENROUTER_ERRORS, words="not a valid model|no endpoints found for"),
    _row("model", "Ollama", "", _OLLAMA, words="try pulling it first"),
    _row(
        "model",
        "litellm proxy",
        "",
        _LITELLM_ERRORS,
        "https://github.com/BerriAI/litellm/issues/5177",
        words="invalid model|llm provider not provided|no healthy deployments? for",
    ),
    _row(
        "model",
        "several",
        "model_not_exist modelnotfound resourcenotfoundexception",
        words=r"unknown model|no such model|model\b[\s\S]{0,120}\b(?:does not exist|not found|not exist)",
    ),
    _row("overload", "Anthropic", "overloaded_error api_error", _ANTHROPIC_ERRORS),
    _row("overload", "OpenAI", "server_error engine_overloaded overloaded", _OPENAI_ERRORS),
    _row("overload", "Gemini", "unavailable internal", _GEMINI_ERRORS),
    _row("overload", "Bedrock", "serviceunavailableexception modelnotreadyexception", _BEDROCK),
    _row("overload", "several", "service_unavailable server_overloaded"),
    _row("permission", "Anthropic", "permission_error", _ANTHROPIC_ERRORS),
    _row("permission", "Gemini", "permission_denied", _GEMINI_ERRORS),
    _row("permission", "OpenAI", "unsupported_country_region_territory", _OPENAI_ERRORS),
    _row("permission", "Bedrock", "accessdeniedexception", _BEDROCK),
    _row(
        "no tools",
        "Ollama",
        "",
        "https://github.com/louisho5/picobot/issues/6",
        words=r"does not support (?:tools?\b|tool[- ](?:use|calls?|calling)|function[- ]?call)",
    ),
    _row(
        "no tools",
        "vLLM",
        "",
        "https://docs.vllm.ai/en/latest/features/tool_calling.html",
        words="tool choice requires --enable-auto-tool-choice",
    ),
    _row(
        "no tools",
        "OpenRouter",
        "",
        "https://openrouter.ai/docs/features/tool-calling",
        words="no endpoints found that support tool use",
    ),
    _row(
        "no tools",
        "llama.cpp",
        "",
        "https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md",
        words="tools? param requires --jinja",
    ),
    _row(
        "no tools",
        "litellm",
        "",
        _LITELLM_ERRORS,
        words=r"do(?:es)? not support parameters: \[[^\]]*'tools'",
    ),
    _row(
        "no tools",
        "Groq, DeepSeek",
        words=r"(?:tools?|tool[- ](?:use|calls?|calling)|function[- ]?calling) (?:is|are) not (?:supported|available)"
        r"|`?tools`? (?:is|are) not supported|unsupported parameter: '?tools'?",
    ),
    _row(
        "no attachments",
        "OpenAI, Azure",
        "",
        "https://github.com/browser-use/web-ui/issues/274",
        words=r"image_url[\"'`]? is only supported by certain models",
    ),
    _row(
        "no attachments",
        "DeepSeek, Mistral, Gemini, OpenRouter, vLLM, llama.cpp, Ollama",
        words=r"unknown variant `(?:image_url|file)`"
        r"|(?:do(?:es)?(?: not|n['’]t) (?:support|accept|take)|cannot (?:read|process|take)|unsupported) (?:the |any )?"
        r"(?:image|vision|multi-?modal|pdf|file|attachment|document)(?:s?\b|_url\b)"
        r"|(?:image|vision|multi-?modal|pdf)s?(?:_url)?(?: inputs?| content| modality| parts?){0,2}"
        r" (?:is|are) not (?:supported|enabled|available|allowed)"
        r"|(?:file|document)s? (?:inputs?|content|parts?) (?:is|are) not (?:supported|enabled|available|allowed)"
        r"|no endpoints found that support (?:image|file|pdf) input|not a (?:multi-?modal|vision)(?:[ -]language)? model"
        r"|at most 0 images?|missing data required for image input|provide the mmproj"
        r"|unsupported content\[\]\.type|unknown (?:content )?part type|invalid value: '(?:image_url|file|input_file)'",
    ),
    _row("status of refused attachments", "OpenRouter", "404", "https://openrouter.ai/docs/provider-routing"),
    _row(
        "no stream",
        "several",
        words=r"stream(?:ing|ed)?(?: mode| responses?| answers?| requests?)? (?:is |are )?(?:not|un)(?: yet| currently)?[ -]?"
        r"(?:supported|available|implemented|enabled|allowed)"
        r"|(?:do(?:es)?(?: not|n['’]t)|can(?:not|['’]t)) (?:support )?stream(?:ing)?\b",
    ),
    _row("no stream", "OpenAI", "", _OPENAI_UNVERIFIED, words="must be verified to stream"),
    _row(
        "schema not kept",
        "Groq",
        "json_validate_failed",
        "https://github.com/thepersonalaicompany/amurex-backend/issues/38",
    ),
    _row(
        "responses only",
        "OpenAI",
        "v1/responses",
        _OPENAI_RESPONSES,
        note="it answers only by the Responses API: name it openai/responses/<model>, and litellm asks it there",
    ),
    _row(
        "parameter refused",
        "OpenAI",
        "unsupported_value unsupported_parameter unknown_parameter unsupported_argument",
        _OPENAI_REASONING,
        words=r"unsupported|not supported|do(?:es)?(?:n['’]t| not) support|unknown (?:parameter|field|name)|unrecognized"
        r"|only (?:the )?default|invalid parameter",
    ),
    _row(
        "parameter refused",
        "Mistral",
        "extra_forbidden",
        _MISTRAL,
        words="not permitted|extra (?:inputs|fields)",
    ),
    _row(
        "parameter refused",
        "Anthropic",
        "",
        "https://github.com/MayDay-wpf/snow-app/issues/42",
        "https://github.com/danielmiessler/Fabric/issues/2109",
        words=r"may only be set to|is deprecated|must be (?:set to )?1\b",
    ),
    _row(
        "parameter refused",
        "several",
        words=r"not allowed|cannot find field|unexpected (?:keyword|field|parameter)"
        r"|cannot (?:both )?be (?:set|specified|used)|is not (?:available|compatible)|not compatible|is immutable",
    ),
    _row("value refused", "OpenAI", "", _OPENAI_REASONING, words="supported values are"),
    _row(
        "value refused",
        "several",
        words=r"must be one of|should be '|input should be|one of the following|allowed values|expected one of"
        r"|valid values|between \S+ and \S+|less than or equal to|greater than or equal to|should be in \[|range is",
    ),
    _row(
        "only the default",
        "OpenAI",
        "",
        "https://github.com/diffbot/code-gpt-docs/issues/445",
        words="only (?:the )?default",
    ),
    _row(
        "only the default",
        "Anthropic",
        "",
        "https://github.com/MayDay-wpf/snow-app/issues/42",
        words=r"may only be set to 1|must be (?:set to )?1\b",
    ),
    _row("ends: stop", "OpenAI", "stop completed", _OPENAI_CHAT, _OPENAI_RESPONSES),
    _row("ends: stop", "Anthropic", "end_turn stop_sequence", _ANTHROPIC_STOPS),
    _row("ends: stop", "Together", "eos", _TOGETHER_CHAT),
    _row("ends: stop", "several", "eos_token complete"),
    _row("ends: length", "OpenAI", "length max_output_tokens", _OPENAI_CHAT, _OPENAI_RESPONSES),
    _row("ends: length", "Anthropic, Gemini", "max_tokens compaction", _ANTHROPIC_STOPS, _GEMINI_ANSWER),
    _row("ends: length", "several", "max_length"),
    _row("ends: tool_calls", "OpenAI", "tool_calls function_call", _OPENAI_CHAT),
    _row("ends: tool_calls", "Anthropic", "tool_use", _ANTHROPIC_STOPS),
    _row("ends: tool_calls", "several", "tool_call"),
    _row("ends: filter", "OpenAI, Azure", "content_filter", _OPENAI_CHAT, _AZURE_FILTER),
    _row("ends: filter", "Anthropic", "refusal", _ANTHROPIC_STOPS),
    _row(
        "ends: filter",
        "Gemini",
        "safety recitation blocklist prohibited_content spii language image_safety image_prohibited_content image_recitation"
        " model_armor escalation",
        _GEMINI_ANSWER,
    ),
    _row("ends: filter", "Bedrock", "guardrail_intervened content_filtered", _BEDROCK),
    _row("ends: filter", "Cohere, Zhipu", "error_toxic sensitive"),
    _row("ends: context", "Anthropic", "model_context_window_exceeded", _ANTHROPIC_STOPS),
    _row("ends: context", "Mistral", "model_length", _MISTRAL),
    _row("ends: context", "several", "context_length_exceeded"),
    _row("ends: failed", "OpenRouter", "error", _OPENROUTER_ERRORS),
    _row(
        "ends: failed",
        "Gemini",
        "malformed_function_call malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature other"
        " image_other no_image",
        _GEMINI_ANSWER,
        "https://github.com/BerriAI/litellm/issues/16651",
    ),
    _row("ends: failed", "DeepSeek", "insufficient_system_resource", _DEEPSEEK_CHAT),
    _row("ends: failed", "SGLang", "abort", "https://github.com/sgl-project/sglang/pull/2956"),
    _row("ends: failed", "Zhipu", "network_error"),
    _row(
        "thinking field",
        "DeepSeek, vLLM, xAI",
        "reasoning_content",
        _DEEPSEEK_THINKING,
        _VLLM_THINKING,
        note="some send the same thought under both names",
    ),
    _row("thinking field", "OpenRouter, Ollama, Groq", "reasoning", _OPENROUTER_THINKING, _OLLAMA),
    _row("thinking part", "Mistral", "thinking reasoning", _MISTRAL_THINKING, note="content is a list of parts"),
    _row(
        "thinking blocks",
        "Claude through litellm",
        "thinking_blocks",
        _ANTHROPIC_THINKING,
        note="litellm ends a block with the whole of it: twice the text would void its signature",
    ),
    _row(
        "thinking blocks by index",
        "OpenRouter",
        "reasoning_details",
        f"{_OPENROUTER_THINKING}#preserving-reasoning-blocks",
    ),
    _row(
        "whole items",
        "OpenAI's Responses API",
        "reasoning_items",
        "https://cookbook.openai.com/examples/responses_api/reasoning_items",
    ),
    _row("wanted back", "Claude", "thinking_blocks", _ANTHROPIC_THINKING),
    _row("wanted back", "OpenRouter", "reasoning_details", f"{_OPENROUTER_THINKING}#preserving-reasoning-blocks"),
    _row(
        "wanted back",
        "OpenAI's Responses API",
        "reasoning_items",
        "https://cookbook.openai.com/examples/responses_api/reasoning_items",
    ),
    _row("wanted back", "DeepSeek", "reasoning_content", _DEEPSEEK_THINKING),
    _row("wanted back with a call", "Gemini", "extra_content provider_specific_fields", _GEMINI_SIGNATURES),
    _row("wanted back aside", "Gemini", "thought_signatures", _GEMINI_SIGNATURES),
    _row("usage aside", "Groq", "x_groq", "https://github.com/vercel/ai/issues/1651"),
    _row("cached tokens", "DeepSeek", "prompt_cache_hit_tokens", _DEEPSEEK_CHAT),
    _row("blocked prompt", "Gemini", "promptFeedback prompt_feedback", _GEMINI_ANSWER),
    _row(
        "call's index",
        "Gemini",
        "",
        "https://github.com/openai/openai-python/issues/2806",
        note="streamed calls have no index, and come whole",
    ),
    _row(
        "call's index",
        "Ollama",
        "",
        "https://github.com/ollama/ollama/issues/15457",
        note="every streamed call has the index 0, and an id of its own",
    ),
    _row(
        "end without a reason",
        "llama-cpp-python",
        "",
        "https://github.com/abetlen/llama-cpp-python/issues/867",
        note="its server ends a stream with [DONE] once another call comes: asking again ends alike",
    ),
    _row("error's place", "OpenAI", "error", _OPENAI_ERRORS),
    _row("error's place", "FastAPI (Mistral, vLLM)", "detail", _MISTRAL),
    _row("error's place", "Mistral, Bedrock", "message Message", _MISTRAL, _BEDROCK),
    _row("error's names outside", "TGI", "error_type", _TGI),
    _row("error's names outside", "Mistral, vLLM", "code type", _MISTRAL, _VLLM),
    _row("error's names outside", "Bedrock", "__type", _BEDROCK),
    _row(
        "error's names inside", "OpenAI, Gemini", "code type status error_type reason", _OPENAI_ERRORS, _GEMINI_ERRORS
    ),
    _row("error's words behind", "OpenRouter", "metadata raw", _OPENROUTER_ERRORS),
    _row("error's code behind", "Azure", "innererror code", _AZURE_FILTER),
    _row("wait in details", "Gemini", "retryDelay", "https://github.com/google-gemini/gemini-cli/issues/8437"),
    _row(
        "wait header, milliseconds",
        "OpenAI, Azure",
        "retry-after-ms",
        "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py",
    ),
    QuirkRow(
        "speaks TLS",
        "nginx",
        ("plain http request was sent to https port",),
        learnt=("https://nginx.org/en/docs/http/configuring_https_servers.html",),
    ),
    QuirkRow("speaks TLS", "servers in Go", ("client sent an http request to an https server",)),
)


def rows(topic: Topic) -> list[QuirkRow]:
    """The rows of a topic, in the table's order."""
    return [row for row in ROWS if row.topic == topic]


def names(topic: Topic) -> tuple[str, ...]:
    """Every name of a topic, in the table's order."""
    return tuple(name for row in rows(topic) for name in row.names)


def words(topic: Topic) -> str:
    """One regular expression that finds what any row of a topic says."""
    return either(row.words for row in rows(topic) if row.words)


def either(patterns: Iterable[str]) -> str:
    """A regular expression that matches where one of `patterns` does."""
    return "|".join(patterns)
