import type { LanguageModel, ToolSet } from 'ai'
import { defaultPolicy, memoryStore, openSession, run, type Session, type Store } from 'throughline'
import { aiSdkStep, recallTool, toolSchemas } from 'throughline/ai-sdk'
import { scriptedModel } from 'throughline/testing/ai-sdk'

/** The lines in docs/recall.md: an agent whose model can read back what was compacted. */
export async function agentWithRecall(
  model: LanguageModel,
  others: ToolSet,
  store: Store,
): Promise<Session> {
  // page: begin
  const tools = { ...others, recall: recallTool({ store, id: 'my-agent' }) }
  const session = await openSession({
    store,
    id: 'my-agent',
    window: { context: 200_000 },
    policy: { ...defaultPolicy, recallTool: 'recall' },
    tools: await toolSchemas(tools),
  })
  await session.say('Fix the failing test.')
  await run({ session, step: aiSdkStep({ model, tools }) })
  // page: end
  return session
}

if (process.argv[1] === import.meta.filename) {
  const model = scriptedModel({
    script: [{ calls: [{ name: 'recall', input: { ref: '1' } }] }, { text: 'It is fixed.' }],
  })
  const session = await agentWithRecall(model, {}, memoryStore())
  for (const { seq, message } of await session.history()) {
    console.log(`[${seq}] ${message.role}: ${JSON.stringify(message.content)}`)
  }
  console.log(
    'The model asked for ref 1, and got the message back word for word, as after any number of compactions.',
  )
}
