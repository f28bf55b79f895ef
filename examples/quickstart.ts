import { jsonSchema, tool, type LanguageModel, type ToolSet } from 'ai'
import { memoryStore, openSession, run, type Session } from 'throughline'
import { aiSdkStep, toolSchemas } from 'throughline/ai-sdk'
import { scriptedModel } from 'throughline/testing/ai-sdk'

/** The ten lines in the README, as a function of a model and its tools. */
export async function quickstart(model: LanguageModel, tools: ToolSet): Promise<Session> {
  // readme: begin
  const session = await openSession({
    store: memoryStore(),
    id: 'my-agent',
    window: { context: 200_000 },
    system: 'You are a careful engineer.',
    tools: await toolSchemas(tools),
  })
  await session.say('Fix the failing test. Never push to the remote.')
  await run({ session, step: aiSdkStep({ model, tools }) })
  // readme: end
  return session
}

if (process.argv[1] === import.meta.filename) {
  const model = scriptedModel({
    script: [{ calls: [{ name: 'run_tests' }] }, { text: 'The test is fixed.' }],
  })
  const inputSchema = jsonSchema<Record<string, never>>({ type: 'object' })
  const session = await quickstart(model, {
    run_tests: tool({ inputSchema, execute: () => 'all tests pass' }),
  })
  for (const { seq, message } of await session.history()) {
    console.log(`[${seq}] ${message.role}: ${JSON.stringify(message.content)}`)
  }
  const { tokens } = session.measure()
  console.log(
    `The agent ran until its model called no tool any more. The next request holds ${tokens} tokens of its window of ${session.budget().window}, so nothing was compacted.`,
  )
}
