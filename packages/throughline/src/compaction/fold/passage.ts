import { missingErrors, type RepairInput } from '../summary/repair.ts'
import { withoutInventions } from '../summary/invented-names.ts'
import { untoldFiles } from '../summary/told-files.ts'
import { withoutImitations } from '../summary/models-words.ts'

/**
 * A passage that a model wrote of a few steps, made to agree with their record: names that the
 * session never held are marked, what looks like a ref or like a line of ours is taken off, and
 * changed files and unresolved errors that it leaves out are added, as far as there is room.
 */
export function repairPassage<T extends number>(
  text: string,
  { facts, log, budget, count }: Pick<RepairInput<T>, 'facts' | 'log' | 'budget' | 'count'>,
): string {
  const none: ReadonlySet<string> = new Set()
  const own = withoutImitations(text.trim(), none)
  const said = withoutInventions(own, { facts, log, named: new Set(), right: none })
  const files = untoldFiles(facts.files.values(), { text: said, accomplished: said })
  const missing = [...files, ...missingErrors(said, facts)]
  const passage = [said]
  for (const line of missing) {
    if (count([...passage, line].join('\n')) <= budget) passage.push(line)
  }
  return passage.join('\n')
}
