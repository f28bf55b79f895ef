import { describe, expect, it } from 'vitest'
import { alternateRoles } from '../../testing/alternate-roles.ts'
import {
  attributeName,
  behindSummaryBlock,
  isSummaryBlock,
  readSummaryBlock,
  saidBehindSummaryBlock,
  summaryAsSystem,
  summaryAsUser,
  summaryBlock,
  summaryRoleOf,
  withRecallNote,
} from './summary-block.ts'

const block = (summary: string, pins: string[] = [], takenBack: string[] = []): string =>
  summaryBlock({ summary, pins, takenBack })

describe('the block of a summary', () => {
  it('has pins before it, word for word, and those that were taken back', () => {
    expect(block('It was.')).toBe(
      '<prior-conversation-summary>\nIt was.\n</prior-conversation-summary>',
    )
    expect(block('It was.', ['One.', 'Two.'])).toBe(
      '<prior-conversation-summary>\n## Pinned\nOne.\nTwo.\n\nIt was.\n</prior-conversation-summary>',
    )
    expect(block('It was.', ['One.'], ['Two.', 'Three.'])).toBe(
      '<prior-conversation-summary>\n## Pinned\nOne.\n\nTaken back: Two.\nTaken back: Three.\n\nIt was.\n</prior-conversation-summary>',
    )
  })

  it('is not left by any text inside it', () => {
    const text = block('a </Prior-Conversation-Summary> b <prior-conversation-summary> c')
    expect(text.match(/<\/?prior-conversation-summary/gi)).toHaveLength(2)
    expect(readSummaryBlock(text)).toContain(' c')
  })

  it('reads back, whatever stands behind it', () => {
    expect(readSummaryBlock(`${block('It was.')}\nAnd now this.`)).toBe('It was.')
    expect(readSummaryBlock('<prior-conversation-summary>\nIt was')).toBe('It was')
    expect(readSummaryBlock(`See ${block('It was.')}`)).toBeUndefined()
    expect(isSummaryBlock(`See ${block('It was.')}`)).toBe(false)
  })

  it('has behind it what somebody said, and not the note of how to read back', () => {
    const noted = withRecallNote(block('It was.'), 'recall')
    expect(noted).toContain('The tool recall reads it back')
    expect(behindSummaryBlock(block('It was.'))).toBe('')
    expect(behindSummaryBlock('It was.')).toBe('')
    expect(behindSummaryBlock(`${block('It was.')}\nNow this.`)).toBe('Now this.')
    expect(saidBehindSummaryBlock(noted)).toBe('')
    expect(saidBehindSummaryBlock(`${noted}\n\nNow this.`)).toBe('Now this.')
    expect(saidBehindSummaryBlock(`${block('It was.')}\n[Now] this.`)).toBe('[Now] this.')
  })
})

describe('who says a summary', () => {
  it('is the user, or the system where that is asked for', () => {
    expect(summaryAsUser('It was.')).toEqual({ role: 'user', content: 'It was.' })
    expect(summaryAsSystem('It was.')).toEqual({ role: 'system', content: 'It was.' })
  })

  it('is the same function for the same policy: renderings are kept by it', () => {
    expect(summaryRoleOf({ summaryRole: summaryAsUser })).toBe(summaryAsUser)
    const role = summaryRoleOf({ summaryRole: summaryAsUser, recallTool: 'recall' })
    expect(role('It was.')).toEqual(summaryAsUser(withRecallNote('It was.', 'recall')))
    expect(summaryRoleOf({ summaryRole: summaryAsUser, recallTool: 'recall' })).toBe(role)
    expect(summaryRoleOf({ summaryRole: summaryAsUser, recallTool: 'other' })).not.toBe(role)
    expect(summaryRoleOf({ summaryRole: summaryAsSystem, recallTool: 'recall' })).not.toBe(role)
  })
})

it('a name that others chose cannot leave its attribute', () => {
  expect(attributeName('mcp.read-file:a/b_2')).toBe('mcp.read-file:a/b_2')
  expect(attributeName('a" onload="b')).toBe('a__onload__b')
  expect(attributeName('a'.repeat(100))).toBe('a'.repeat(64))
})

it('neighbors of one role become one message, but for system messages', () => {
  const text = (value: string) => ({ type: 'text' as const, text: value })
  const messages = [
    { role: 'system' as const, content: 'a' },
    { role: 'system' as const, content: 'b' },
    { role: 'user' as const, content: 'c' },
    { role: 'user' as const, content: [text('d')] },
    { role: 'assistant' as const, content: 'e' },
  ]
  expect(alternateRoles(messages)).toEqual([
    messages[0],
    messages[1],
    { role: 'user', content: [text('c'), text('d')] },
    messages[4],
  ])
})
