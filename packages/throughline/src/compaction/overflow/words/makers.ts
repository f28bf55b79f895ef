import type { OverflowWords } from './hosts.ts'

/** Companies that make models and serve them at their own addresses. */
export const makers: readonly OverflowWords[] = [
  {
    provider: 'anthropic',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
    source: 'https://github.com/anthropics/claude-code/issues/12186',
    pattern: /prompt is too long(?:: \d[\d,.]* tokens > (?<limit>\d[\d,.]*) maximum)?/i,
  },
  {
    provider: 'anthropic',
    message:
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    source: 'https://github.com/anthropics/claude-code/issues/4951',
    pattern: /exceed context limit: \d[\d,.]* \+ (?<output>\d[\d,.]*) > (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'anthropic',
    message: '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    source: 'https://github.com/anthropics/claude-code/issues/14567',
    pattern: /request_too_large|request exceeds the maximum size/i,
    unit: 'bytes',
  },
  {
    provider: 'openai',
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens (202767 in the messages, 101 in the functions). Please reduce the length of the messages or functions.",
    source: 'https://github.com/bytedance/deer-flow/issues/310',
    pattern: /maximum context length is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'openai',
    message:
      "This model's maximum context length is 4096 tokens. However, you requested 4201 tokens (3177 in the messages, 1024 in the completion). Please reduce the length of the messages or completion.",
    source: 'https://github.com/Azure-Samples/azure-search-openai-demo/issues/1199',
    pattern:
      /maximum context length is (?<limit>\d[\d,.]*) tokens[.,] however, you requested (?:about )?\d[\d,.]* tokens \([^()]{0,200}?(?<output>\d[\d,.]*) (?:in|for) the (?:completion|output)/i,
  },
  {
    provider: 'openai',
    message:
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    source: 'https://github.com/onyx-dot-app/onyx/issues/6051',
    pattern: /exceeds the context window/i,
  },
  {
    provider: 'openai',
    message:
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens. Please reduce the length of the messages.',
    source: 'https://github.com/cline/cline/issues/5474',
    pattern: /input tokens exceed the configured limit of (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'openai',
    message:
      '{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again.","param":"input"}',
    source: 'https://github.com/the-open-agent/openagent/issues/2344',
    pattern: /context_length_exceeded/i,
  },
  {
    provider: 'google',
    message:
      'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
    source: 'https://github.com/google-gemini/gemini-cli/issues/6678',
    pattern:
      /input token count[^\n]{0,40} exceeds the maximum number of tokens allowed(?: \((?<limit>\d[\d,.]*)\))?/i,
  },
  {
    provider: 'xai',
    message: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    source: 'https://github.com/cline/cline/issues/3120',
    pattern: /maximum prompt length is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'mistral',
    message:
      'Prompt contains 1000172 tokens and 0 draft tokens, too large for model with 40960 maximum context length',
    source:
      'https://github.com/vals-ai/model-library/blob/fbe0fdbbbac7604dfa54acc0e0301840ec333ecf/tests/unit/test_retry.py',
    pattern: /too large for model with (?<limit>\d[\d,.]*) maximum context length/i,
  },
  {
    provider: 'deepseek',
    message:
      "This model's maximum context length is 131072 tokens. However, you requested 154963 tokens (150867 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
    source: 'https://github.com/continuedev/continue/issues/10342',
    pattern:
      /maximum context length is (?<limit>\d[\d,.]*) tokens\. however, you requested \d[\d,.]* tokens \(\d[\d,.]* in the messages, (?<output>\d[\d,.]*) in the completion/i,
  },
  {
    provider: 'cohere',
    message:
      'too many tokens: size limit exceeded by 713295 tokens. Try using shorter or fewer inputs. The limit for this model is 288000 tokens.',
    source:
      'https://github.com/vals-ai/model-library/blob/fbe0fdbbbac7604dfa54acc0e0301840ec333ecf/tests/unit/test_retry.py',
    pattern:
      /too many tokens: size limit exceeded(?:[^\n]{0,120}? limit for this model is (?<limit>\d[\d,.]*))?/i,
  },
  {
    provider: 'cohere',
    message:
      'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
    source: 'https://github.com/cohere-ai/sandbox-topically/issues/4',
    pattern: /total number of tokens \(prompt and prediction\) cannot exceed (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'moonshot',
    message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)',
    source: 'https://github.com/MoonshotAI/kimi-cli/issues/2011',
    pattern: /exceeded model token limit: (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'minimax',
    message: 'invalid params, context window exceeds limit (2013)',
    source: 'https://github.com/MiniMax-AI/MiniMax-M2/issues/119',
    pattern: /context window exceeds limit/i,
  },
  {
    provider: 'alibaba',
    message:
      '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
    source: 'https://github.com/QwenLM/qwen-code/issues/2384',
    pattern: /range of input length should be \[\d+, (?<limit>\d[\d,.]*)\]/i,
  },
  {
    provider: 'zai',
    message: '{"error":{"code":"1261","message":"Prompt exceeds max length"}}',
    source: 'https://github.com/zeroclaw-labs/zeroclaw/issues/4124',
    pattern: /prompt exceeds max length/i,
  },
  {
    provider: 'openai',
    message:
      "[StringParam] [input[308].arguments] [string_above_max_length] Invalid 'input[308].arguments': string too long. Expected a string with maximum length 1048576, but got a string with length 1686845 instead.",
    source: 'https://github.com/openai/codex/issues/13270',
    pattern: /string too long\. expected a string with maximum length \d{6,}/i,
    unit: 'bytes',
  },
  {
    provider: 'google',
    message: 'Request payload size exceeds the limit: 4194304 bytes.',
    source: 'https://github.com/google-gemini/deprecated-generative-ai-android/issues/26',
    pattern: /request payload size exceeds the limit: \d+ bytes/i,
    unit: 'bytes',
  },
  {
    provider: 'cohere',
    message:
      'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt, or enabling prompt truncating. See https://docs.cohere.com/reference/generate for more details.',
    source: 'https://docs.cohere.com/reference/errors',
    pattern: /total number of tokens in the prompt cannot exceed (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'alibaba',
    message:
      '400 String value length (20054016) exceeds the maximum allowed (20000000, from `StreamReadConstraints.getMaxStringLength()`)',
    source: 'https://github.com/QwenLM/qwen-code/issues/1082',
    pattern: /string value length \(\d+\) exceeds the maximum allowed/i,
    unit: 'bytes',
  },
]
