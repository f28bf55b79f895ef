import { coreSection } from '../../facts/summary/sections/core-sections.ts'
import { headingKey } from '../../facts/heading-key.ts'
import { openFence, saysNothing } from '../../facts/sections.ts'
import type { Template } from './template.ts'

/** A section as it is put together. */
export interface DraftSection {
  heading: string
  /** The lines at the beginning that only code writes. */
  stated?: readonly string[]
  /** What the summarizer wrote; empty where it has no such section. */
  said: string
  /** How it is set apart from the lines that code writes. */
  apart?: (said: string) => readonly string[]
  /** What the record adds, in lines. */
  added: string[]
}

/** What a section without any words says. */
export const nothing = '(none)'

export function draftText(sections: readonly DraftSection[]): string {
  return sections
    .map(({ heading, stated = [], said, apart, added }) => {
      const empty = saysNothing(said)
      const own = empty && stated.length + added.length > 0 ? '' : closedFence(said)
      const lines = own === '' || empty ? [own] : (apart?.(own) ?? [own])
      const body = [...stated, ...lines, ...added].filter((line) => line !== '').join('\n')
      return `## ${heading}\n${body === '' ? nothing : body}`
    })
    .join('\n\n')
}

/** A fence that a section leaves open would include the headings after it. */
function closedFence(body: string): string {
  const open = openFence(body)
  return open === undefined ? body : `${body}\n${open}`
}

// No text has as many characters to a token as this, but for rows of the same one.
const mostCharacters = 12

// In each round a section keeps a third of what it has left; in the last it may go.
const rounds = [1 / 3, 1 / 3, 1 / 3, 0]

/**
 * Cuts what a summarizer wrote until it fits, from the least important section on: what nobody
 * asked for, the files, what was found; the beginning of what was done goes before its end. What
 * the record has added stays.
 */
export function shortenSections<T extends number>(
  sections: readonly DraftSection[],
  { template, budget, count }: { template: Template; budget: T; count: (text: string) => T },
): DraftSection[] {
  const most = Math.max(Math.floor(budget * mostCharacters), 200)
  const short = sections.map((section) => ({ ...section, said: keep(section, most) }))
  const fits = (): boolean => count(draftText(short)) <= budget
  const order = short.toSorted((a, b) => rank(a, template) - rank(b, template))
  for (const share of rounds) {
    for (const section of order) {
      if (fits()) return short
      const whole = section.said
      let low = Math.floor(whole.length * share)
      let high = whole.length
      section.said = keep({ ...section, said: whole }, low)
      if (!fits()) continue
      while (high - low > Math.max(40, whole.length / 200)) {
        const middle = Math.floor((low + high) / 2)
        section.said = keep({ ...section, said: whole }, middle)
        if (fits()) low = middle
        else high = middle
      }
      section.said = keep({ ...section, said: whole }, low)
    }
  }
  return short
}

/** Sections that only a template asks for go after the first of the others; what nobody asked for goes first. */
const ofTemplate = 1.5

function rank({ heading }: DraftSection, { sections }: Template): number {
  const key = headingKey(heading)
  const asked = sections.some((section) => headingKey(section.heading) === key)
  if (!asked) return -1
  return coreSection(heading)?.cutAs ?? ofTemplate
}

/** So many characters of what was said, at the end of a line or a word. */
function keep({ heading, said }: DraftSection, characters: number): string {
  if (said.length <= characters) return said
  if (characters <= 0) return ''
  if (coreSection(heading)?.keepsEnd === true) {
    const kept = said.slice(-characters)
    const at = kept.indexOf('\n')
    return at !== -1 && at < kept.length / 2 ? kept.slice(at + 1) : `…${kept.slice(wordAt(kept))}`
  }
  const kept = said.slice(0, characters)
  const at = kept.lastIndexOf('\n')
  return at > kept.length / 2 ? kept.slice(0, at) : `${kept.replace(/\s\S{0,40}$/, '')}…`
}

function wordAt(text: string): number {
  const at = text.slice(0, 40).search(/\s/)
  return at === -1 ? firstWhole(text) : at + 1
}

/** Not between the two halves of one character. */
function firstWhole(text: string): number {
  const code = text.charCodeAt(0)
  return code >= 0xdc00 && code <= 0xdfff ? 1 : 0
}
