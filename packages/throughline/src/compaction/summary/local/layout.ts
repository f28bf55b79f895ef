import { headingKey, type Template } from '../template.ts'

const nothing = '(nothing recorded)'

/** The sections under their headings, in the template's order. */
export function layOut(template: Template, bodies: ReadonlyMap<string, readonly string[]>): string {
  return template.sections
    .map(({ heading }) => {
      const lines = bodies.get(headingKey(heading)) ?? []
      return `## ${heading}\n${lines.length === 0 ? nothing : lines.join('\n')}`
    })
    .join('\n\n')
}

/** The text that a summary has whatever it says. */
export function skeleton(template: Template): string {
  return layOut(template, new Map())
}
