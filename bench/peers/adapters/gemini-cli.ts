import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// Not among its exports: what its own client calls.
import { ChatCompressionService } from '../node_modules/@google/gemini-cli-core/dist/src/context/chatCompressionService.js'
import { makeFakeConfig } from '../node_modules/@google/gemini-cli-core/dist/src/test-utils/config.js'
import { summaryTokens, type Adapter } from '../adapter.ts'
import { fromGemini, textOfContents, toGemini } from '../shapes/gemini.ts'
import type { Content } from '@google/genai'

const folder = mkdtempSync(join(tmpdir(), 'peer-gemini-'))

export const geminiCli: Adapter = {
  name: 'gemini-cli compression',
  package: '@google/gemini-cli-core',
  work: 'summarizes',
  settings:
    '60% of the budget for its summary; it keeps the newest 30% of the session, whatever the budget',
  async compact({ messages, keep, model }) {
    const history = toGemini(messages)
    const config = makeFakeConfig({
      sessionId: 'bench',
      targetDir: folder,
      cwd: folder,
      debugMode: false,
      model: 'gemini-2.5-pro',
      usageStatisticsEnabled: false,
    } as never)
    Object.assign(config, {
      getHookSystem: () => undefined,
      getContentGenerator: () => ({}),
      getBaseLlmClient: () => ({
        generateContent: async ({ contents }: { contents: Content[] }) => {
          const prompt = textOfContents(contents)
          const text = model.answer({ prompt, most: summaryTokens(keep) })
          const snapshot = `<state_snapshot>\n${text}\n</state_snapshot>`
          return { candidates: [{ content: { role: 'model', parts: [{ text: snapshot }] } }] }
        },
      }),
    })
    const chat = { getHistory: () => history, getLastPromptTokenCount: () => 1_000_000 }
    const { newHistory } = await new ChatCompressionService().compress(
      chat as never,
      'bench',
      true,
      'gemini-2.5-pro',
      config,
      false,
    )
    if (!newHistory) return { messages, summary: '' }
    return { messages: fromGemini(newHistory), summary: textOfContents(newHistory.slice(0, 1)) }
  },
}
