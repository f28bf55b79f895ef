import { coreHeadings, headingKey, type CoreSection } from '../../facts/sections.ts'

/** A section of a summary: its heading and what belongs under it. */
export interface Section {
  heading: string
  /** What the summarizer is told to write there. */
  guide: string
}

/** The form of a summary. */
export interface Template {
  sections: readonly Section[]
  /** What a summarizer is given to read in place of the headings and guides, if it has words of its own. */
  text?: string
}

/** What belongs into each of the five kinds of memory (T12). */
const guides: Readonly<Record<CoreSection, string>> = {
  Goal: 'What the user is ultimately trying to accomplish, in one sentence, and the latest request if it is a different one.',
  Instructions:
    'A list of the rules, constraints and preferences that the user has stated: style, naming, forbidden approaches. In the user’s words, in quotation marks; then what files such as AGENTS.md demand, named as theirs.',
  Discoveries:
    'Technical facts that were learned: files and their purpose, functions and types and what they do, patterns and decisions in the code base, versions, configuration, errors that are not solved yet.',
  Accomplished:
    'What was done, in chronological order: files created, edited, renamed or deleted and why, commands and their outcome, decisions and their reasons; then what is still open, and the very next step.',
  'Relevant files': 'The files that matter to the task, each as `path` — one line on why.',
}

/** The five kinds of memory, in their order. */
export const defaultTemplate: Template = {
  sections: coreHeadings.map((heading) => ({ heading, guide: guides[heading] })),
}

/**
 * A template with the core sections that it leaves out added back, in their order, before its own.
 */
export function withCoreSections(template: Template): Template {
  const own = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  const missing = defaultTemplate.sections.filter(({ heading }) => !own.has(headingKey(heading)))
  return missing.length === 0 ? template : { sections: [...missing, ...template.sections] }
}

/**
 * Chooses the template of one compaction: the call's, else the session's, else that of the first
 * plugin that has one, else the default.
 */
export function chooseTemplate(
  candidates: readonly (Template | undefined)[],
  fallback: Template = defaultTemplate,
): Template {
  return withCoreSections(candidates.find((template) => template !== undefined) ?? fallback)
}

/** The template as the summarizer reads it. */
export function templateText({ sections, text }: Template): string {
  return text ?? sections.map(({ heading, guide }) => `## ${heading}\n${guide}`).join('\n\n')
}
