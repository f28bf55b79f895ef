import { anthropicBlocks } from '../writing/anthropic-blocks.ts'
import { jsonDocument } from '../writing/json-document.ts'
import { providerOf } from '../writing/provider-of.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { withoutRefusals } from '../claude-code/refusal.ts'
import type { FormatWriter } from '../writing/format-writer.ts'
import type { Message } from '../../log/message.ts'

/** Writes what a request of the Messages API holds of a session. */
export const anthropicWriter: FormatWriter = {
  name: 'anthropic',
  write({ summary, messages, facts: { model, system } }, { session }) {
    const said = withoutRefusals(messages).map(({ message }) => message)
    const all = summary === undefined ? said : [summaryAsUser(summary), ...said]
    const document = {
      ...(model !== undefined && providerOf(model) === 'anthropic' && { model }),
      ...(system !== undefined && { system }),
      messages: turnsOf(all),
    }
    return { session, text: jsonDocument(document) }
  },
}

interface Turn {
  role: 'user' | 'assistant'
  content: Record<string, unknown>[]
}

/** The API wants the user first and then both in turn, and gives results of tools in the user's. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = anthropicBlocks(message)
    const newest = turns.at(-1)
    if (newest?.role === role) for (const block of content) newest.content.push(block)
    else turns.push({ role, content })
  }
  if (turns[0]?.role !== 'assistant') return turns
  return [{ role: 'user', content: [{ type: 'text', text: nothingBefore }] }, ...turns]
}

const nothingBefore = '[What was said before is not here.]'
