/**
 * Exact token counts for OpenAI models, by the optional peer `gpt-tokenizer`.
 *
 * @packageDocumentation
 */
export { gptTokenCounter } from './gpt-token-counter.ts'
