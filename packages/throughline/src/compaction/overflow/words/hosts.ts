/** Companies that host models made by others. */
export const hosts: readonly OverflowWords[] = [
  {
    provider: 'bedrock (Claude)',
    message: 'ValidationException: Input is too long for requested model.',
    source: 'https://github.com/aws-samples/assessment-generator/issues/2',
    pattern: /input is too long for requested model/i,
  },
  {
    provider: 'bedrock (Claude)',
    message:
      'The model returned the following errors: prompt is too long: 903884 tokens > 200000 maximum',
    source: 'https://github.com/strands-agents/harness-sdk/pull/1663',
    pattern: /prompt is too long: \d[\d,.]* tokens > (?<limit>\d[\d,.]*) maximum/i,
  },
  {
    provider: 'bedrock (Claude)',
    message:
      'The model returned the following errors: input length and max_tokens exceed context limit: 196395 + 64000 > 204698, decrease input length or max_tokens and try again',
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/3713',
    pattern: /exceed context limit: \d[\d,.]* \+ (?<output>\d[\d,.]*) > (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'bedrock (Nova)',
    message:
      'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    source:
      'https://github.com/vals-ai/model-library/blob/fbe0fdbbbac7604dfa54acc0e0301840ec333ecf/tests/unit/test_retry.py',
    pattern: /number of input tokens exceeds maximum length/i,
  },
  {
    provider: 'bedrock (Titan)',
    message:
      '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9875',
    source: 'https://github.com/aws-samples/amazon-bedrock-workshop/issues/136',
    pattern: /too many input tokens\. max input tokens: (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'vertex (Claude)',
    message:
      '{"type":"error","error":{"type":"invalid_request_error","message":"Prompt is too long"}}',
    source: 'https://github.com/tailcallhq/forgecode/issues/1146',
    pattern: /prompt is too long/i,
  },
  {
    provider: 'vertex (Gemini)',
    message:
      'Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.',
    source: 'https://github.com/google-gemini/gemini-cli/issues/19727',
    pattern: /input token count is \d[\d,.]* but model only supports up to (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'azure',
    message:
      "(context_length_exceeded) This model's maximum context length is 32768 tokens. However, you requested 35969 tokens (9969 in the messages, 26000 in the completion). Please reduce the length of the messages or completion.",
    source: 'https://github.com/Azure/azure-sdk-for-net/issues/41892',
    pattern: /context_length_exceeded/i,
  },
  {
    provider: 'openrouter',
    message:
      'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    source: 'https://github.com/refly-ai/refly/issues/1177',
    pattern: /endpoint's maximum context length is (?<limit>\d[\d,.]*) tokens/i,
  },
  {
    provider: 'groq',
    message:
      '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    source: 'https://github.com/OpenHands/OpenHands/issues/1902',
    pattern: /reduce the length of the messages or completion/i,
  },
  {
    provider: 'cerebras',
    message:
      'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
    source: 'https://github.com/cline/cline/issues/5140',
    pattern:
      /reduce the length of the messages or completion\. current length is \d[\d,.]* while limit is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'together',
    message:
      "The input (1000016 tokens) is longer than the model's context length (131072 tokens).",
    source:
      'https://github.com/vals-ai/model-library/blob/fbe0fdbbbac7604dfa54acc0e0301840ec333ecf/tests/unit/test_retry.py',
    pattern:
      /input \(\d[\d,.]* tokens\) is longer than the model's context length \((?<limit>\d[\d,.]*) tokens\)/i,
  },
  {
    provider: 'together',
    message:
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2019 `inputs` tokens and 30 `max_new_tokens`',
    source: 'https://github.com/stanford-crfm/helm/pull/2079',
    pattern:
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>\d[\d,.]*)(?:\. given: \d[\d,.]* `inputs` tokens and (?<output>\d[\d,.]*))?/i,
  },
  {
    provider: 'fireworks',
    message: 'The prompt is too long: 40177, model maximum context length: 32767',
    source: 'https://github.com/fw-ai/cookbook/issues/134',
    pattern: /prompt is too long: \d[\d,.]*, model maximum context length: (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'github-copilot',
    message:
      '{"error":{"message":"prompt token count of 138898 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
    source: 'https://github.com/microsoft/copilot-intellij-feedback/issues/94',
    pattern: /prompt token count of \d[\d,.]* exceeds the limit of (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'bedrock (Claude)',
    message: 'too many total text bytes',
    source: 'https://github.com/jataware/archytas/issues/53',
    pattern: /too many total text bytes/i,
    unit: 'bytes',
  },
  {
    provider: 'bedrock (Llama 2, Claude 2)',
    message:
      'Malformed input request: expected maxLength: 42000, actual: 46735, please reformat your input and try again.',
    source: 'https://github.com/ryanadoty/Amazon-Bedrock-Amazon-RDS-POC/issues/9',
    pattern: /expected maxLength: \d{5,}, actual: \d/i,
    unit: 'bytes',
  },
  {
    provider: 'replicate',
    message:
      'ModelError: Your input is too long. Max input length is 4096 tokens, but you supplied 5441 tokens.',
    source: 'https://github.com/run-llama/llama_index/issues/7974',
    pattern: /input is too long\. max input length is (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'github-models',
    message: 'Request body too large for meta-llama-3-70b-instruct model. Max size: 8000 tokens.',
    source: 'https://github.com/cline/cline/issues/995',
    pattern:
      /request body too large for [^\n]{1,100}? model\. max size: (?<limit>\d[\d,.]*) tokens/i,
  },
  {
    provider: 'watsonx',
    message:
      'the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model',
    source:
      'https://github.com/agno-agi/agno/blob/5650ec7cc8f40fd6e1959969d2cfedefe86e1733/libs/agno/tests/unit/models/ibm/test_watsonx_errors.py',
    pattern:
      /number of input tokens \d[\d,.]* cannot exceed the total tokens limit (?<limit>\d[\d,.]*)/i,
  },
  {
    provider: 'gemini-cli (proxy)',
    message: 'Maximum request body size 1048576 exceeded, actual body size 1056562',
    source: 'https://github.com/google-gemini/gemini-cli/issues/13776',
    pattern: /maximum request body size \d+ exceeded/i,
    unit: 'bytes',
  },
  {
    provider: 'litellm',
    message:
      'litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209353 tokens > 199999 maximum"}}',
    source: 'https://github.com/entropy-research/Devon/issues/88',
    pattern: /\bContextWindowExceededError\b/,
  },
]

/**
 * One provider's words for "the context is too long": a line in one of the tables next to this
 * file.
 */
export interface OverflowWords {
  provider: string
  /** A message that was really sent, word for word. */
  message: string
  /** Where that message can be read. */
  source: string
  /**
   * Finds the words in an error's text. The group `limit`, if present, is the model's limit in
   * tokens; the group `output` is the requested output limit.
   */
  pattern: RegExp
  /** What is too large; tokens if not given. */
  unit?: 'bytes'
}
