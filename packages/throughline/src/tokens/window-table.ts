import type { Window } from './window.ts'

/** The window of a family of models, its source, and when it was read. */
export interface WindowRow {
  /** The words that the names of all members of the family contain, in order. */
  model: string
  window: Window
  source: string
  /** Year and month. */
  read: string
}

const anthropic = 'platform.claude.com/docs/models'
const openai = 'developers.openai.com/api/docs/models, as kept in gpt-tokenizer 4.0.0'
const modelsDev = 'models.dev'
const card = 'the model card'

/**
 * Well-known families, with the API's limits. A client may set a smaller one: Codex gives GPT-5.4
 * and 5.5 95% of 272,000 (258,400); Claude Code gives Opus 4.6 200,000 unless asked for more.
 */
export const windowTable: readonly WindowRow[] = [
  // Claude. The bare aliases are Claude Code's.
  row('claude', 200_000, 8_192, anthropic),
  row('sonnet', 200_000, 64_000, anthropic),
  row('opus', 200_000, 32_000, anthropic),
  row('haiku', 200_000, 64_000, anthropic),
  row('claude 3', 200_000, 4_096, modelsDev),
  row('claude 3 5', 200_000, 8_192, modelsDev),
  row('claude 3 7', 200_000, 64_000, modelsDev),
  row('claude sonnet', 200_000, 64_000, anthropic),
  row('claude sonnet 4 6', 1_000_000, 64_000, modelsDev),
  row('claude sonnet 5', 1_000_000, 128_000, anthropic),
  row('claude opus', 200_000, 32_000, anthropic),
  row('claude opus 4 5', 200_000, 64_000, modelsDev),
  row('claude opus 4 6', 1_000_000, 128_000, modelsDev),
  row('claude opus 4 7', 1_000_000, 128_000, anthropic),
  row('claude opus 4 8', 1_000_000, 128_000, anthropic),
  row('claude opus 5', 1_000_000, 128_000, anthropic),
  row('claude haiku', 200_000, 64_000, anthropic),
  row('claude haiku 5 5', 1_000_000, 128_000, anthropic),
  row('claude fable', 1_000_000, 128_000, anthropic),

  // OpenAI
  row('gpt 3 5', 16_385, 4_096, openai),
  row('gpt 4', 8_192, 8_192, openai),
  row('gpt 4 32 k', 32_768, 8_192, openai),
  row('gpt 4 turbo', 128_000, 4_096, openai),
  row('gpt 4 0125 preview', 128_000, 4_096, openai),
  row('gpt 4 1106', 128_000, 4_096, openai),
  row('gpt 4 5', 128_000, 16_384, openai),
  row('gpt 4 o', 128_000, 16_384, openai),
  row('chatgpt 4 o', 128_000, 16_384, openai),
  row('gpt 4 1', 1_047_576, 32_768, openai),
  row('gpt 5', 400_000, 128_000, openai, 272_000),
  row('gpt 5 chat', 128_000, 16_384, openai),
  row('gpt 5 1 chat', 128_000, 16_384, openai),
  row('gpt 5 2 chat', 128_000, 16_384, openai),
  row('gpt 5 3 chat', 128_000, 16_384, openai),
  row('gpt 5 4', 1_050_000, 128_000, openai, 922_000),
  row('gpt 5 4 mini', 400_000, 128_000, openai, 272_000),
  row('gpt 5 4 nano', 400_000, 128_000, openai, 272_000),
  row('gpt 5 5', 1_050_000, 128_000, openai, 922_000),
  row('gpt 5 6', 400_000, 128_000, openai, 272_000),
  row('gpt 5 6 luna', 1_050_000, 128_000, openai, 922_000),
  row('gpt 5 6 sol', 1_050_000, 128_000, openai, 922_000),
  row('gpt 5 6 terra', 1_050_000, 128_000, openai, 922_000),
  row('codex mini', 200_000, 100_000, openai),
  row('o 1', 200_000, 100_000, openai),
  row('o 1 mini', 128_000, 65_536, openai),
  row('o 1 preview', 128_000, 32_768, openai),
  row('o 3', 200_000, 100_000, openai),
  row('o 4 mini', 200_000, 100_000, openai),
  row('gpt oss', 131_072, 131_072, openai),

  // Google. A prompt may fill the window; the answer has its own limit.
  row('gemini', 1_000_000, 8_192, modelsDev),
  row('gemini 1 5 pro', 2_000_000, 8_192, modelsDev),
  row('gemini 2 5', 1_048_576, 65_536, modelsDev),
  row('gemini 3', 1_000_000, 64_000, modelsDev),
  row('gemma', 8_192, 8_192, card),
  row('gemma 3', 131_072, 8_192, card),

  // xAI
  row('grok', 131_072, 8_192, modelsDev),
  row('grok 4', 256_000, 8_192, modelsDev),
  row('grok 4 fast', 2_000_000, 30_000, modelsDev),
  row('grok 4 1 fast', 2_000_000, 30_000, modelsDev),
  row('grok 4 20', 2_000_000, 30_000, modelsDev),
  row('grok 4 3', 1_000_000, 30_000, modelsDev),
  row('grok 4 5', 500_000, undefined, modelsDev),
  row('grok code fast', 256_000, 10_000, modelsDev),

  // DeepSeek
  row('deepseek', 65_536, 8_192, card),
  row('deepseek chat', 1_000_000, 8_192, modelsDev),
  row('deepseek reasoner', 1_000_000, 65_536, modelsDev),
  row('deepseek v 3 1', 131_072, 8_192, card),
  row('deepseek v 3 2', 131_072, 8_192, card),
  row('deepseek v 4', 1_000_000, 65_536, modelsDev),

  // Qwen
  row('qwen', 32_768, 8_192, card),
  row('qwen 2 5', 131_072, 8_192, modelsDev),
  row('qwen 3', 131_072, 16_384, modelsDev),
  row('qwen 3 max', 262_144, 65_536, modelsDev),
  row('qwen 3 next', 131_072, 32_768, modelsDev),
  row('qwen 3 coder', 262_144, 65_536, modelsDev),
  row('qwen 3 coder plus', 1_000_000, 65_536, modelsDev),
  row('qwen 3 coder flash', 1_000_000, 65_536, modelsDev),
  row('qwen plus', 1_000_000, 32_768, modelsDev),
  row('qwen flash', 1_000_000, 32_768, modelsDev),

  // Llama: what its servers allow, not the ten million on Scout's card.
  row('llama', 8_192, 4_096, card),
  row('llama 3 1', 131_072, 4_096, card),
  row('llama 3 2', 131_072, 4_096, card),
  row('llama 3 3', 131_072, 4_096, card),
  row('llama 4', 1_000_000, 8_192, card),

  // Mistral
  row('mistral', 32_768, 8_192, card),
  row('mixtral', 32_768, 8_192, card),
  row('mixtral 8 x 22 b', 65_536, 8_192, card),
  row('ministral', 131_072, 8_192, modelsDev),
  row('mistral nemo', 131_072, 8_192, modelsDev),
  row('mistral small', 131_072, 16_384, modelsDev),
  row('mistral medium', 131_072, 16_384, modelsDev),
  row('mistral large', 131_072, 16_384, modelsDev),
  row('mistral large 2512', 262_144, undefined, modelsDev),
  row('magistral', 131_072, 16_384, modelsDev),
  row('codestral', 256_000, 4_096, modelsDev),
  row('devstral', 131_072, undefined, modelsDev),
  row('devstral 2512', 262_144, undefined, modelsDev),
  row('pixtral', 131_072, 4_096, modelsDev),

  // Other models that agents run on
  row('kimi k 2', 131_072, 16_384, modelsDev),
  row('kimi k 2 0905', 262_144, 16_384, modelsDev),
  row('kimi k 2 5', 262_144, undefined, modelsDev),
  row('glm 4 5', 131_072, 98_304, modelsDev),
  row('glm 4 6', 204_800, 131_072, modelsDev),
  row('glm 5', 204_800, 131_072, modelsDev),
  row('command r', 128_000, 4_096, card),
  row('command a', 256_000, 8_192, card),
  row('nova', 300_000, 5_120, card),
  row('nova micro', 128_000, 5_120, card),
  row('phi 4', 16_384, 16_384, card),
]

function row(
  model: string,
  context: number,
  output: number | undefined,
  source: string,
  input?: number,
): WindowRow {
  const window = {
    context,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  }
  return { model, window, source, read: '2026-11' }
}
