import type { OverflowWords } from './hosts.ts'

/** Servers that people run themselves. */
export const localServers: readonly OverflowWords[] = [
  {
    provider: 'ollama',
    message:
      '{"error":"prompt too long; exceeded max context length by 540451 tokens (ref: 00ad71bb-fea0-4639-9dc9-3ad800192057)"}',
    source: 'https://github.com/dyad-sh/dyad/issues/3498',
    pattern: /prompt too long; exceeded (?:max )?context length/i,
  },
  {
    provider: 'vllm',
    message:
      "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    source: 'https://github.com/vllm-project/vllm/issues/20409',
    pattern: /maximum context length is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'vllm',
    message:
      "This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
    source: 'https://github.com/vllm-project/vllm/issues/42474',
    pattern:
      /maximum context length is (?<limit>\d[\d,.]*) tokens\. however, you requested (?<output>\d[\d,.]*) output tokens/i,
  },
  {
    provider: 'vllm',
    message:
      "This model's maximum context length is 262144 tokens. However, your request has 1000010 input tokens. Please reduce the length of the input messages. None",
    source:
      'https://github.com/vals-ai/model-library/blob/fbe0fdbbbac7604dfa54acc0e0301840ec333ecf/tests/unit/test_retry.py',
    pattern: /maximum context length is (?<limit>\d[\d,.]*) tokens\. however, your request has/i,
  },
  {
    provider: 'vllm',
    message:
      'The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.',
    source: 'https://github.com/Gabesarch/grounded-rl/issues/16',
    pattern: /longer than the maximum model length of (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'vllm',
    message:
      'The prompt (total length 25938) is too long to fit into the model (context length 4096).',
    source: 'https://github.com/vllm-project/vllm/issues/12165',
    pattern: /too long to fit into the model \(context length (?<limit>\d[\d,.]*)\)/i,
  },
  {
    provider: 'sglang',
    message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    source: 'https://github.com/QwenLM/Qwen3/issues/1321',
    pattern: /longer than the model's context length(?: \((?<limit>\d[\d,.]*) tokens\))?/i,
  },
  {
    provider: 'sglang',
    message: 'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).',
    source: 'https://github.com/sgl-project/sglang/issues/4048',
    pattern:
      /input length \(\d[\d,.]* tokens\) exceeds the maximum allowed length \((?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'sglang',
    message: "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    source:
      'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/tokenizer_manager.py',
    pattern:
      /exceeds the model's maximum context length of (?<limit>\d[\d,.]*) tokens(?:[^]{0,120}? and (?<output>\d[\d,.]*) tokens for the completion)?/i,
  },
  {
    provider: 'text-generation-inference',
    message:
      '`inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`',
    source: 'https://github.com/bytedance/UI-TARS-desktop/issues/626',
    pattern: /`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'llama.cpp',
    message:
      '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}',
    source: 'https://github.com/oobabooga/textgen/issues/7257',
    pattern: /exceed_context_size_error(?:[^]{0,300}?\bn_ctx: (?<limit>\d+))?/i,
  },
  {
    provider: 'llama.cpp',
    message:
      'request (66202 tokens) exceeds the available context size (65536 tokens), try increasing it',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp',
    pattern: /exceeds the available context size(?: \((?<limit>\d[\d,.]*) tokens\))?/i,
  },
  {
    provider: 'llama-cpp-python',
    message: 'Requested tokens (2285) exceed context window of 2048',
    source: 'https://github.com/fedora-copr/logdetective-website/pull/193',
    pattern: /requested tokens (?:\(\d[\d,.]*\) )?exceed context window of (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'lm-studio',
    message:
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    source: 'https://github.com/Gitlawb/openclaude/issues/353',
    pattern:
      /initial prompt is greater than the context length(?: \(n_keep: \d+ ?>= n_ctx: (?<limit>\d+)\))?/i,
  },
  {
    provider: 'lm-studio',
    message: 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
    source: 'https://github.com/anomalyco/opencode/issues/11141',
    pattern: /cannot truncate prompt with n_keep \(\d+\) >= n_ctx \((?<limit>\d+)\)/i,
  },
  {
    provider: 'lm-studio',
    message:
      'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546',
    pattern: /loaded with context length of only (?<limit>\d[\d,.]*) tokens/i,
  },
  {
    provider: 'text-generation-inference',
    message: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 4545',
    source: 'https://github.com/meta-llama/llama/issues/1103',
    pattern: /`inputs` must have less than (?<limit>\d[\d,.]*) tokens/i,
  },
  {
    provider: 'vllm',
    message:
      "You passed 202753 input tokens and requested 0 output tokens. However, the model's context length is only 202752 tokens, resulting in a maximum input length of 202752 tokens.",
    source: 'https://github.com/proxysoul/Empryo/issues/52',
    pattern:
      /requested (?<output>\d[\d,.]*) output tokens\. however, the model's context length is only (?<limit>\d[\d,.]*) tokens/i,
  },
  {
    provider: 'vllm',
    message:
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 32768 tokens and your request has 29000 input tokens (4096 > 32768 - 29000).",
    source:
      'https://github.com/vllm-project/vllm/blob/v0.11.0/vllm/entrypoints/openai/serving_engine.py',
    pattern:
      /'max_completion_tokens' is too large: (?<output>\d[\d,.]*)\. this model's maximum context length is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'vllm',
    message:
      'The engine prompt length 1327246 exceeds the max_model_len 32768. Please reduce prompt.',
    source:
      'https://github.com/vllm-project/vllm/blob/v0.11.0/vllm/entrypoints/openai/serving_responses.py',
    pattern: /exceeds the max_model_len (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'tensorrt-llm',
    message:
      'Cannot process new request: Prompt length (5056) exceeds maximum sequence length (2048)',
    source: 'https://github.com/triton-inference-server/tensorrtllm_backend/issues/141',
    pattern: /prompt length \(\d+\) exceeds maximum (?:sequence|input) length \((?<limit>\d+)\)/i,
  },
  {
    provider: 'ollama',
    message: '{"error":"the input length exceeds the context length"}',
    source: 'https://github.com/nano-step/nano-brain/issues/208',
    pattern: /input length exceeds the context length(?: of (?<limit>\d+))?/i,
  },
  {
    provider: 'lm-studio',
    message: 'Context size has been exceeded',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2339',
    pattern: /context size has been exceeded/i,
  },
  {
    provider: 'lm-studio',
    message: 'Error: Input length 6491 exceeds context length 1500',
    source: 'https://github.com/lmstudio-ai/examples/issues/29',
    pattern: /input length \d+ exceeds context length (?<limit>\d+)/i,
  },
  {
    provider: 'ds4',
    message: 'Prompt has 99000 tokens, but the configured context size is 65536 tokens',
    source: 'https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts',
    pattern:
      /prompt has \d[\d,.]* tokens?, but the configured context size is (?<limit>\d[\d,.]*)/i,
  },
]
