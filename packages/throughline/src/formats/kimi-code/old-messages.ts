import { assistantParts, partsOfContent, toolOutput } from './parts.ts'
import { nameOf, type Fields } from '../../json/fields.ts'
import { placeCheckpoint, placeReply, placeResult, placeUsers, type State } from './state.ts'
import { saidInParts } from '../conversation/user-messages.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'

/**
 * A line of the `context.jsonl` that Kimi CLI wrote before it was rewritten as Kimi Code: a message.
 * A compaction began the file anew, with the summary as its first message.
 */
export function readOldMessage(state: State, record: Fields): void {
  const { role, content } = record
  switch (role) {
    case '_system_prompt': {
      const system = nameOf(content)
      if (system) state.facts.system = system
      return
    }
    case 'user':
      return readUser(state, partsOfContent(content))
    case 'assistant':
      return placeReply(state, { parts: assistantParts(record) })
    case 'tool': {
      const toolCallId = nameOf(record['tool_call_id'])
      const isError = textsOf(partsOfContent(content))[0]?.startsWith('<system>ERROR: ') === true
      if (toolCallId) placeResult(state, { toolCallId, output: toolOutput(content, { isError }) })
    }
  }
}

function readUser(state: State, parts: readonly OriginPart[]): void {
  const [first = '', ...others] = textsOf(parts)
  if (state.drafts.given === 0 && first.startsWith(compacted)) {
    return placeCheckpoint(state, [], { text: others.join('\n'), preTokens: undefined })
  }
  const noted = parts.map(({ origin, part }): OriginPart => {
    const own = part.type === 'text' && /^<system>[^]*<\/system>\s*$/.test(part.text)
    return { origin: own ? 'harness' : origin, part }
  })
  placeUsers(state, userMessages(saidInParts(noted), state.at), { is: 'prompt' })
}

const compacted = '<system>Previous context has been compacted.'

function textsOf(parts: readonly OriginPart[]): string[] {
  return parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
}
