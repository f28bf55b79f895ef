/** The prices of a model: US dollars per million tokens. */
export interface Prices {
  input: number
  output: number
  /** For input that the provider had in its cache; a tenth of `input` if not given. */
  cacheRead?: number
  /** For input that is written to the cache; a quarter more than `input` if not given. */
  cacheWrite?: number
}

/** The prices of a model, their source, and when it was read. */
export interface PriceRow {
  /** The words of the model's name, without dates. */
  model: string
  /** US dollars per million tokens. */
  prices: Prices
  source: string
  /** Year and month. */
  read: string
}

const anthropic = 'platform.claude.com/docs/en/about-claude/pricing'
const openai = 'developers.openai.com/api/docs/models'
const openai2025 = 'platform.openai.com/docs/pricing, as kept in openai_responses 0.4.1'
const google = 'ai.google.dev/gemini-api/docs/pricing'
const github = 'github/docs data/tables/copilot/models-and-pricing.yml'
const modelsDev = 'models.dev'

/**
 * List prices of single requests: no batches, no priority. If longer requests cost more (above
 * 100,000 tokens for Claude Haiku 5.5, 200,000 for Gemini Pro and Grok, 272,000 for GPT), these are
 * the prices of the shorter ones. DeepSeek is missing because its prices depend on the time of day.
 */
export const priceTable: readonly PriceRow[] = [
  // Claude. Writing to the five-minute cache costs a quarter more.
  claude('claude fable 5 1', 10, 50, 0.25),
  claude('claude fable 5', 10, 50),
  claude('claude opus 5 5', 4, 20, 0.2),
  claude('claude opus 5', 5, 25),
  claude('claude opus 4 8', 5, 25),
  claude('claude opus 4 7', 5, 25),
  claude('claude opus 4 6', 5, 25),
  claude('claude opus 4 5', 5, 25),
  claude('claude opus 4 1', 15, 75),
  claude('claude opus 4', 15, 75),
  claude('claude 3 opus', 15, 75),
  claude('claude sonnet 5 5', 2, 10, 0.1),
  claude('claude sonnet 5', 2, 10),
  claude('claude sonnet 4 6', 3, 15),
  claude('claude sonnet 4 5', 3, 15),
  claude('claude sonnet 4', 3, 15),
  claude('claude 3 7 sonnet', 3, 15),
  claude('claude 3 5 sonnet', 3, 15),
  claude('claude haiku 5 5', 0.1, 0.5),
  claude('claude haiku 4 5', 1, 5),
  claude('claude 3 5 haiku', 0.8, 4),
  row('claude 3 haiku', { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3 }, anthropic),

  // OpenAI. From GPT-5.6 on, writing to the cache costs a quarter more.
  uncharged('gpt 4 o', 2.5, 10, 1.25, openai2025),
  uncharged(
    'gpt 4 o mini',
    0.15,
    0.6,
    0.075,
    'openai.com/api/pricing, as kept in openai-models 0.1.1',
  ),
  uncharged('gpt 4 1', 2, 8, 0.5, github),
  uncharged('gpt 4 1 mini', 0.4, 1.6, 0.1, openai2025),
  uncharged('gpt 4 1 nano', 0.1, 0.4, 0.025, openai2025),
  uncharged('gpt 5', 1.25, 10, 0.125, modelsDev),
  uncharged('gpt 5 mini', 0.25, 2, 0.025, github),
  uncharged('gpt 5 nano', 0.05, 0.4, 0.005, openai),
  uncharged('gpt 5 1', 1.25, 10, 0.125, modelsDev),
  uncharged('gpt 5 2', 1.75, 14, 0.175, github),
  uncharged('gpt 5 2 codex', 1.75, 14, 0.175, github),
  uncharged('gpt 5 3 codex', 1.75, 14, 0.175, github),
  uncharged('gpt 5 4', 2.5, 15, 0.25, modelsDev),
  uncharged('gpt 5 5', 5, 30, 0.5, modelsDev),
  row('gpt 5 6', { input: 4, output: 20, cacheRead: 0.4 }, openai),
  row('gpt 5 6 sol', { input: 4, output: 20, cacheRead: 0.4 }, openai),
  row('gpt 5 6 terra', { input: 2, output: 12, cacheRead: 0.2 }, openai),
  row('gpt 5 6 luna', { input: 0.2, output: 1.2, cacheRead: 0.02 }, openai),
  row('gpt 6 astra', { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }, openai),
  row(
    'gpt 6 sol',
    { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    'the notes of codexometer 0.18.4 on the prices of OpenAI',
  ),
  row(
    'gpt 6 luna',
    { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    'the notes of codexometer 0.18.4 on the prices of OpenAI',
  ),
  uncharged('o 3', 2, 8, 0.5, modelsDev),
  uncharged('o 4 mini', 1.1, 4.4, 0.275, modelsDev),

  // Google. The prices of 3.6 and 3.8 hold through 2026 and double then.
  uncharged('gemini 2 5 pro', 1.25, 10, 0.125, modelsDev),
  uncharged('gemini 2 5 flash', 0.3, 2.5, 0.03, modelsDev),
  uncharged('gemini 2 5 flash lite', 0.1, 0.4, 0.01, modelsDev),
  uncharged('gemini 3 flash', 0.5, 3, 0.05, modelsDev),
  uncharged('gemini 3 1 pro', 2, 12, 0.2, modelsDev),
  uncharged('gemini 3 5 flash', 1.5, 9, 0.15, modelsDev),
  uncharged('gemini 3 6 flash', 0.75, 3.75, 0.075, google),
  uncharged('gemini 3 8 flash', 0.75, 3.75, 0.075, google),

  // xAI
  uncharged('grok 4', 3, 15, 0.75, modelsDev),
  uncharged('grok 4 3', 1.25, 2.5, 0.2, modelsDev),
  uncharged('grok 4 7', 2, 6, 0.5, modelsDev),
  uncharged('grok code fast 1', 0.2, 1.5, 0.02, modelsDev),

  // Mistral
  uncharged('codestral 2508', 0.3, 0.9, 0.03, modelsDev),
  row('devstral 2512', { input: 0.4, output: 2 }, modelsDev),
  row('mistral large 2512', { input: 0.5, output: 1.5 }, modelsDev),
  row('mistral medium 2508', { input: 0.4, output: 2 }, modelsDev),
  row('mistral small 2506', { input: 0.1, output: 0.3 }, modelsDev),
]

function claude(model: string, input: number, output: number, read = input / 10): PriceRow {
  return row(model, { input, output, cacheRead: read, cacheWrite: input * 1.25 }, anthropic)
}

/** For providers that charge nothing for writing to their cache. */
function uncharged(
  model: string,
  input: number,
  output: number,
  cacheRead: number,
  source: string,
): PriceRow {
  return row(model, { input, output, cacheRead, cacheWrite: input }, source)
}

function row(model: string, prices: Prices, source: string): PriceRow {
  return { model, prices, source, read: '2026-11' }
}
