import { generateText, isStepCount, streamText, type ModelMessage } from 'ai'
import {
  modelOn,
  questions,
  readTool,
} from '../../../throughline/src/promises/faults/for-other-packages.ts'

/** A client that gives each thought back as it came, with everything that followed it. */
export async function thinkingClient(url: string, streams: boolean): Promise<string[]> {
  const messages: ModelMessage[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    const asked = {
      model: modelOn('anthropic', url, 'main-model'),
      tools: { read: readTool([]) },
      stopWhen: isStepCount(20),
      maxOutputTokens: 1_000,
      messages,
    }
    try {
      const { responseMessages } = streams ? streamText(asked) : await generateText(asked)
      messages.push(...(await responseMessages))
    } catch (error) {
      return [String(error)]
    }
  }
  return ['finished']
}
