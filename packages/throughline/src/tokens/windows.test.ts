import { expect, test } from 'vitest'
import { windowTable } from './window-table.ts'
import { usableTokens } from './window.ts'
import { formatTokens, parseTokens, windowOf } from './windows.ts'

test.each([
  ['claude-3-5-sonnet-20241022', 200_000, 8_192],
  ['claude-3-7-sonnet-latest', 200_000, 64_000],
  ['claude-opus-4-5-20251101', 200_000, 64_000],
  ['claude-opus-4.8', 1_000_000, 128_000],
  ['claude-fable-5', 1_000_000, 128_000],
  ['claude-haiku-4-5-20251001', 200_000, 64_000],
  ['anthropic/claude-sonnet-4.5', 200_000, 64_000],
  ['claude-sonnet-4-5@20250929', 200_000, 64_000],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000, 64_000],
  ['claude-sonnet-4-5[1m]', 1_000_000, 64_000],
  ['sonnet', 200_000, 64_000],
  ['gpt-4o-mini-2024-07-18', 128_000, 16_384],
  ['gpt-4-1106-preview', 128_000, 4_096],
  ['gpt-4.1-mini', 1_047_576, 32_768],
  ['openai/gpt-5', 400_000, 128_000],
  ['gpt-5.3-codex', 400_000, 128_000],
  ['gpt-5.4', 1_050_000, 128_000],
  ['o4-mini', 200_000, 100_000],
  ['o1-preview', 128_000, 32_768],
  ['gemini-1.5-pro-002', 2_000_000, 8_192],
  ['models/gemini-2.5-flash', 1_048_576, 65_536],
  ['gemini-3-flash-preview', 1_000_000, 64_000],
  ['llama3.1:8b', 131_072, 4_096],
  ['openai/openrouter-llama-4-maverick', 1_000_000, 8_192],
  ['meta-llama/Llama-3.3-70B-Instruct', 131_072, 4_096],
  ['mistral-large-latest', 131_072, 16_384],
  ['Qwen/Qwen2.5-Coder-32B', 131_072, 8_192],
  ['qwen3-coder-plus', 1_000_000, 65_536],
  ['litellm_proxy/deepseek-chat', 1_000_000, 8_192],
  ['deepseek-ai/DeepSeek-V3.1', 131_072, 8_192],
  ['x-ai/grok-4-fast:free', 2_000_000, 30_000],
  ['grok-4', 256_000, 8_192],
])('%s has its window, whoever serves it', (model, context, output) => {
  expect(windowOf(model)).toMatchObject({ context, output })
})

test('a limit on input is known where there is one', () => {
  expect(windowOf('gpt-5-codex')).toEqual({ context: 400_000, input: 272_000, output: 128_000 })
})

test('a model that nobody knows has no window', () => {
  for (const model of ['', 'default', '<synthetic>', 'my-own-model', 'x'.repeat(10_000)]) {
    expect(windowOf(model)).toBeUndefined()
  }
})

test('every row can be used, says where it comes from, and is there once', () => {
  expect(new Set(windowTable.map(({ model }) => model)).size).toBe(windowTable.length)
  for (const { model, window, source, read } of windowTable) {
    expect(usableTokens(window)).toBeGreaterThan(0)
    expect(window.output ?? 1).toBeLessThanOrEqual(window.context)
    expect(window.input ?? 1).toBeLessThanOrEqual(window.context)
    expect(windowOf(model)).toEqual(window)
    expect(source).not.toBe('')
    expect(read).toMatch(/^\d{4}-\d{2}$/)
  }
})

test('a caller cannot change the table', () => {
  const window = windowOf('grok-4')
  if (window) window.context = 1
  expect(windowOf('grok-4')?.context).toBe(256_000)
})

test.each([
  ['200k', 200_000],
  ['1m', 1_000_000],
  ['1.5m', 1_500_000],
  ['32_000', 32_000],
  ['8,000', 8_000],
  [' 32K ', 32_000],
  ['8192', 8_192],
  ['0.5k', 500],
])('%j is a number of tokens', (text, tokens) => {
  expect(parseTokens(text)).toBe(tokens)
})

test.each([
  '',
  'k',
  '-5',
  '0',
  '1e5',
  '12 000',
  '8,00',
  '1__0',
  'NaN',
  '1.2.3k',
  '9'.repeat(30),
  '10g',
])('%j is none', (text) => {
  expect(parseTokens(text)).toBeUndefined()
})

test.each([
  [0, '0'],
  [812, '812'],
  [999.6, '1k'],
  [8_123, '8.1k'],
  [32_000, '32k'],
  [99_960, '100k'],
  [200_000, '200k'],
  [999_600, '1m'],
  [1_048_576, '1m'],
  [1_550_000, '1.6m'],
  [-8_123, '-8.1k'],
])('%d is written %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text)
})
