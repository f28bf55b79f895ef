import { codex } from './turns/09-codex.ts'
import { example } from './turns/08-example.ts'
import { orientation } from './turns/01-orientation.ts'
import { outcome } from './turns/10-outcome.ts'
import { permission } from './turns/06-permission.ts'
import { propertyTest } from './turns/07-property.ts'
import { pruning } from './turns/04-pruning.ts'
import { rename } from './turns/03-rename.ts'
import { review } from './turns/12-review.ts'
import { summaries } from './turns/11-summary.ts'
import { toolTotals } from './turns/02-tool-totals.ts'
import { visible } from './turns/05-visible.ts'
import type { Turn } from './story.ts'

/** The whole story, in its order. */
export const turns: readonly Turn[] = [
  ...orientation,
  ...toolTotals,
  ...rename,
  ...pruning,
  ...visible,
  ...permission,
  ...propertyTest,
  ...example,
  ...codex,
  ...outcome,
  ...summaries,
  ...review,
]
