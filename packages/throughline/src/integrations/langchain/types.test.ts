import type { createAgent, SummarizationMiddlewareConfig } from 'langchain'
import { expectTypeOf, test } from 'vitest'
import type { compactionMiddleware } from './compaction-middleware.ts'
import type { CompactionMiddlewareOptions } from './options.ts'

type Middleware = NonNullable<Parameters<typeof createAgent>[0]['middleware']>[number]
type Same = 'model' | 'trigger' | 'keep' | 'summaryPrompt'

test('the middleware and its options go where those of LangChain go', () => {
  expectTypeOf<ReturnType<typeof compactionMiddleware>>().toExtend<Middleware>()
  expectTypeOf<
    Pick<SummarizationMiddlewareConfig, 'model' | 'trigger' | 'summaryPrompt'>
  >().toExtend<Pick<CompactionMiddlewareOptions, Exclude<Same, 'keep'>>>()
})
