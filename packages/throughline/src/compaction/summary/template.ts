import { headingKey } from '../../facts/heading-key.ts'
import { coreSections } from '../../facts/summary/sections/core-sections.ts'

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
  /** What plugins ask for besides: it follows the sections, each heading once. */
  added?: readonly Section[]
}

/** The kinds of memory that every summary has, in their order. */
export const defaultTemplate: Template = {
  sections: coreSections.map(({ heading, guide }) => ({ heading, guide })),
}

/**
 * A template with the core sections that it leaves out added back, in their order, before its own,
 * and with what plugins add behind them.
 */
export function withCoreSections(template: Template): Template {
  const own = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  const missing = defaultTemplate.sections.filter(({ heading }) => !own.has(headingKey(heading)))
  const added = template.added ?? []
  if (missing.length + added.length === 0) return template
  const sections = [...missing, ...template.sections]
  const known = new Set(sections.map(({ heading }) => headingKey(heading)))
  for (const section of added) {
    const key = headingKey(section.heading)
    if (!known.has(key)) sections.push(section)
    known.add(key)
  }
  return { sections }
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
