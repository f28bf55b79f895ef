import { expect, it } from 'vitest'
import { inOurSections } from './answer.ts'

it('puts Claude Code’s nine sections under our five headings, with every word', () => {
  const theirs = `1. Primary Request and Intent:
   Fix the login.

2. Key Technical Concepts:
   - JWT

3. Files and Code Sections:
   - src/a.ts
      - edited

4. Errors and fixes:
    - none: 1. of 2

8. Current Work:
   The tests.`
  expect(inOurSections(theirs)).toBe(`## Goal
Fix the login.

## Discoveries
Key Technical Concepts: - JWT
Errors and fixes: - none: 1. of 2

## Accomplished
Current Work: The tests.

## Relevant files
Files and Code Sections: - src/a.ts
   - edited`)
})

it.each(['', 'Just words.', '## Goal\nFix it.', '1. Do this: now\n2. And that: later'])(
  'leaves any other text as it is: %j',
  (text) => {
    expect(inOurSections(text)).toBe(text)
  },
)
