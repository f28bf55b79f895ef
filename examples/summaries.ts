import type { LanguageModel, ToolSet } from 'ai'
import { memoryStore, openSession, type Summarizer } from 'throughline'
import { modelSummarizer } from 'throughline/ai-sdk'
import { scriptedModel } from 'throughline/testing/ai-sdk'

/** The summarizer of docs/summaries.md. */
export function smallFirst(small: LanguageModel, model: LanguageModel, tools: ToolSet): Summarizer {
  // page: begin
  const summarizer = modelSummarizer(small, {
    // The session's own model is asked if the small one fails.
    fallback: model,
    // What the session's own requests contain besides the messages.
    livePrefix: { tools },
    // Needed only if the tables don't know the model.
    window: { context: 200_000 },
    prices: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    maxRetries: 1,
  })
  // page: end
  return summarizer
}

if (process.argv[1] === import.meta.filename) {
  const headings = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
  const text = headings.map((heading) => `## ${heading}\nAll of src is read.`).join('\n\n')
  const small = scriptedModel({
    script: () => ({ error: new Error('overloaded') }),
    modelId: 'small',
  })
  const large = scriptedModel({ script: () => ({ text }), modelId: 'large' })
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 200_000 },
    summarizer: smallFirst(small, large, {}),
  })
  await session.say('Read all of src.')
  for (let step = 1; step <= 40; step++) {
    await session.append({
      kind: 'message',
      at: Date.now(),
      origin: 'model',
      message: { role: 'assistant', content: `File ${step} is read. `.repeat(100) },
    })
  }
  const { before, after, attempts } = await session.compact()
  const asked = attempts.flatMap(({ calls }) => calls.map(({ model }) => model)).join(', then ')
  console.log(`${before} tokens became ${after}. Asked for the summary: ${asked}.`)
  console.log('The small model was overloaded, so the session’s own model wrote it. It begins:\n')
  console.log(session.context().checkpoint?.summary.split('\n\n## Discoveries')[0])
}
