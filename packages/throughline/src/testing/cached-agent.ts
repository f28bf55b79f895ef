import { modelSummarizer } from '../integrations/ai-sdk/index.ts'
import type { ModelSummarizerOptions } from '../integrations/ai-sdk/summary/model-summarizer.ts'
import { agent, tools, type Agent } from './generate/agent.ts'
import { startProvider, type ScriptedProvider } from './provider/scripted-provider.ts'
import { plainSummary } from './scripted/summary-request.ts'
import type { LanguageModel } from 'ai'
import type { SessionOptions } from '../session/session.ts'
import type { ServedAnswer } from './provider/served-answer.ts'

// With fewer of them, the head is so short that reading it again costs less.
const files = 10

/** How a question after the live conversation begins. */
export const question = 'This message comes from the program'

/** What differs from it. */
export interface CachedAgentOptions {
  settings?: ModelSummarizerOptions
  session?: Partial<SessionOptions>
  /** The answers to requests for summaries, counted from 1. */
  summary?: (number: number) => ServedAnswer
}

export interface CachedAgent extends Omit<Agent, 'model'> {
  provider: ScriptedProvider
  model: Exclude<LanguageModel, string>
}

/**
 * An agent that has read some files, all in its provider's cache, and a real provider package that
 * talks to a scripted provider. Whoever starts it closes the provider.
 */
export async function cachedAgent(
  modelOf: (url: string) => Exclude<LanguageModel, string>,
  {
    settings = {},
    session: options = {},
    summary = () => ({ text: plainSummary }),
  }: CachedAgentOptions = {},
): Promise<CachedAgent> {
  let summaries = 0
  const provider = await startProvider({
    script: ({ said, number }): ServedAnswer => {
      const texts = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      if (texts.some((text) => /The data ends here|This message comes from/.test(text))) {
        return summary(++summaries)
      }
      const usage = { input: number * 2_500, output: 100, cacheRead: number * 2_400 }
      if (number > files) return { text: 'Done.', usage }
      return {
        reasoning: `Let me think about file ${number}.`,
        text: `I read file ${number}.`,
        calls: [{ name: 'read', input: { path: `f${number}.ts`, tokens: 2_000 } }],
        usage,
      }
    },
  })
  const model = modelOf(provider.url)
  const made = await agent({
    script: [],
    system: 'You are a careful agent.',
    tools,
    model: model.modelId,
    window: { context: 200_000 },
    summarizer: modelSummarizer(model, { livePrefix: { tools }, maxRetries: 0, ...settings }),
    step: { model },
    ...options,
  })
  await made.session.say('Read all files. Never push to main.')
  await made.run()
  return { ...made, provider, model }
}
