import { headingKey } from '../../heading-key.ts'
import { accomplished } from './accomplished.ts'
import { discoveries } from './discoveries.ts'
import { goal } from './goal.ts'
import { instructions } from './instructions.ts'
import { relevantFiles } from './relevant-files.ts'
import type { SummarySection } from './section.ts'

const inOrder = [goal, instructions, discoveries, accomplished, relevantFiles] as const

/** The name of a section that every summary has. */
export type CoreSection = (typeof inOrder)[number]['heading']

/** The kinds of memory (T12), in their order: no template may drop one. */
export const coreSections: readonly (SummarySection & { heading: CoreSection })[] = inOrder

export const coreHeadings = inOrder.map(({ heading }) => heading)

/** The core section with this heading, if it is one. */
export function coreSection(heading: string): SummarySection | undefined {
  const key = headingKey(heading)
  return coreSections.find((section) => headingKey(section.heading) === key)
}
