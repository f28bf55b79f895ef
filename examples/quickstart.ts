import type { LanguageModel, ToolSet } from 'ai'
import { memoryStore, openSession, run, type Session } from 'throughline'
import { aiSdkStep, toolSchemas } from 'throughline/ai-sdk'

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
