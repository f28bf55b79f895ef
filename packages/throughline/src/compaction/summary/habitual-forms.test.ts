import { describe, expect, it } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { parseSections, sectionBody } from '../../facts/sections.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { repairSummary } from './repair.ts'
import { defaultTemplate } from './template.ts'

const log = logFrom([
  human('Fix the parser, and use the lexer as it is.'),
  step('a', 'Read', { file_path: 'src/parser.ts' }, 'export function parse() {}'),
])

function sectionsOf(text: string, budget = 4_000): Record<string, string> {
  const count = (words: string): number => Math.ceil(words.length / 4)
  const record = { facts: factsOf(log, {}), template: defaultTemplate, budget, count, log }
  const parsed = parseSections(repairSummary(text, record) ?? '')
  expect(parsed.sections.map(({ heading }) => heading)).toEqual(coreHeadings)
  return Object.fromEntries(
    coreHeadings.map((heading) => [heading, sectionBody(parsed, heading) ?? '']),
  )
}

const numbered = `<analysis>
Hm.
</analysis>

<summary>
1. Primary Request and Intent:
   The parser takes empty input.

2. Key Technical Concepts:
   - A lexer without an end token

3. Files and Code Sections:
   - src/parser.ts

4. Errors and fixes:
   - The token was missing

5. Problem Solving:
   The lexer ends too soon.

6. All user messages:
   - Fix the parser, and use the lexer as it is.

7. Pending Tasks:
   - Write the test

8. Current Work:
   Reading the parser.

9. Optional Next Step:
   Run the test.
</summary>`

const handoff = `**Progress**
- The parser takes empty input

**Key decisions**
- The lexer ends too soon, so the parser waits

**Constraints / user preferences**
- Small commits

**Remaining**
- Write the test

**Critical data**
- The token was missing`

const snapshot = `<state_snapshot>
<overall_goal>The parser takes empty input.</overall_goal>
<key_knowledge>
- The lexer ends too soon.
</key_knowledge>
<file_system_state>
- READ: src/parser.ts
</file_system_state>
<recent_actions>
- Read the parser.
</recent_actions>
<current_plan>
1. [TODO] Write the test
</current_plan>
</state_snapshot>`

const steps = `## Goal
The parser takes empty input.

## Constraints & Preferences
- Small commits

## Progress
### Done
- Read the parser.
### Blocked
- Nothing.

## Key Decisions
- The lexer ends too soon, so the parser waits

## Next Steps
1. Write the test

## Critical Context
- The token was missing`

describe('a summary in the form that another client asks for', () => {
  it('has each of its parts where it belongs, under its own words: numbered', () => {
    const told = sectionsOf(numbered)
    expect(told['Goal']).toContain('takes empty input')
    expect(told['Instructions']).toMatch(/All user messages:\n.*Fix the parser.* \[1\]/)
    expect(told['Discoveries']).toMatch(/Errors and fixes:\n.*missing[^]*Problem Solving:\n.*soon/)
    expect(told['Accomplished']).toMatch(
      /Pending Tasks:\n.*test\nCurrent Work:\n.*parser\.\nOptional Next Step:\n.*Run/,
    )
    expect(told['Relevant files']).toBe('- src/parser.ts')
  })

  it.each([
    ['in bold', handoff, /Remaining:\n- Write/, /Key decisions:\n- The lexer[^]*Critical data:\n/],
    ['in elements', snapshot, /current plan:\s+1\. \[TODO\]/, /key knowledge:\s+- The lexer ends/],
    [
      'with next steps',
      steps,
      /### Blocked\n- Nothing\.\nNext Steps:\n1\. Write/,
      /Key Decisions:/,
    ],
  ])('the same %s', (_, text, open, learned) => {
    const told = sectionsOf(text)
    expect(told['Accomplished']).toMatch(open)
    expect(told['Discoveries']).toMatch(learned)
  })

  it('keeps what is still open where it is too long', () => {
    const long = numbered.replace('   - A lexer', '   - Something was found out.\n'.repeat(300))
    expect(sectionsOf(long, 400)['Accomplished']).toContain('Write the test')
  })

  it('given twice in a row, says nothing twice', () => {
    const once = sectionsOf(steps)
    expect(sectionsOf(`${steps}\n\n---\n\n${steps}`)).toEqual(once)
  })
})
