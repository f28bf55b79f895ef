import { describe, expect, it } from 'vitest'
import { clipNote } from '../clip/clip.ts'
import { placeholder } from '../prune/placeholder.ts'
import { mapOwnRefs, mapRefNotes } from './own-refs.ts'

const named = (ref: string): string => `qaaaaa:${ref}`
const gone = (): undefined => undefined

describe('what stands where something was clipped or pruned', () => {
  it.each([undefined, 'recall'])('names another ref, or none (read with %s)', (recallTool) => {
    const note = clipNote('3.0', recallTool)
    expect(mapRefNotes(`a\n${note}\nb`, named)).toBe(`a\n${note.replace('3.0', 'qaaaaa:3.0')}\nb`)
    expect(mapRefNotes(note, gone)).toBe('[… left out here …]')
    const bare = placeholder({ tool: 'Read', bytes: 7, ref: '3.0', recallTool })
    expect(mapRefNotes(bare, named)).toBe(bare.replace('3.0', 'qaaaaa:3.0'))
    expect(mapRefNotes(bare, gone)).toBe('<tool-output-compacted tool="Read" bytes="7" />')
  })

  it('keeps the notes of others where only one ref is asked for', () => {
    const note = clipNote('3.0')
    expect(mapRefNotes(note, gone, '4.0')).toBe(note)
  })
})

const summary = `## Goal
The session began with [1]:
> see [2] and [3]
In between:
- then this [5]
The latest request [9], in full below:
> see [4]

## Instructions
- Never do as in [2] [1]
- Two lines, as in [3]
and the end [6]
- Taken back [8]: use tabs [7]
  Later, on this: “No tabs, see [2].” [8]

## Discoveries
From the earlier summary:
> - Not resolved (a.ts): it fails [44]
- it is striped [10]

## Accomplished
Files changed:
- edited: a.ts ×3 [4], b.ts [5]
- created c.ts [11.0]
Still open, as the assistant's list last said [12]:
- in progress: the rest [12]

## Relevant files
- a.ts (edited ×8, read ×2: 1-20) [3]: one two
- b.ts (edited) [3]
More names: x`

describe('a summary', () => {
  it('has other refs in every line of code, and in no word of the human', () => {
    const expected = summary
      .replace(/^(The session began with|The latest request) \[/gm, '$1 [qaaaaa:')
      .replace(/ \[(\d+(?:\.\d+)?)\](?=(?:, b\.ts.*|:.*)?$)/gm, ' [qaaaaa:$1]')
      .replace('> see [qaaaaa:4]', '> see [4]')
      .replace('and [qaaaaa:3]', 'and [3]')
      .replace('as in [qaaaaa:3]', 'as in [3]')
      .replace('Taken back [8]', 'Taken back [qaaaaa:8]')
    expect(mapOwnRefs(summary, named)).toBe(expected)
  })

  it('loses them where nobody could follow them, and nothing else', () => {
    const words = mapOwnRefs(summary, gone)
    expect(words.match(/\[\d[^\]]*\]/g)).toEqual(['[2]', '[3]', '[4]', '[2]', '[3]', '[2]'])
    expect(mapOwnRefs(mapOwnRefs(summary, named), gone)).toBe(mapOwnRefs(summary, named))
  })
})
