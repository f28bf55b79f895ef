import type { Template } from '../summary/template.ts'

/** T12's default template, word for word. */
export const DEFAULT_COMPACTION_TEMPLATE = `
Your task is to create a detailed summary of our conversation so far.
This summary will be used to restore context after compaction.

Please structure your summary with these EXACT 5 sections:

## Goal
One sentence: what is the user ultimately trying to accomplish?

## Instructions
Bullet list of rules, constraints, or preferences the user has stated.
Include coding style preferences, naming conventions, forbidden approaches.

## Discoveries
Technical facts learned about the codebase:
- File paths and their purpose
- Key functions/classes/symbols and what they do
- Patterns, conventions, or architecture decisions
- Environment details (language versions, dependencies, config)

## Accomplished
Chronological list of actions taken:
- Files created, edited, or deleted (with brief reason)
- Commands run and their outcome
- Decisions made and why

## Relevant files
List of files relevant to the current task:
- \`path/to/file.ts\` — one-line description of relevance

Keep each section focused and factual. Avoid narrative prose.
`

/** T12's template: its five sections, and the text that a summarizer is given. */
export const seedTemplate: Template = {
  sections: [...DEFAULT_COMPACTION_TEMPLATE.matchAll(/^## (.+)\n((?:.+\n)+)/gm)].map(
    ([, heading = '', guide = '']) => ({ heading, guide: guide.trim() }),
  ),
  text: DEFAULT_COMPACTION_TEMPLATE,
}
