import { factKinds, pooledFacts, shareOf, type FactsKept } from 'throughline/evaluation'
import { percent } from '../fidelity/goals.ts'
import { markdownTable } from '../compare/markdown.ts'

const kindHeads = [...factKinds]

/** Per compactor and size: all sessions together. */
export function pooledTable(groups: readonly (readonly FactsKept[])[]): string {
  const head = [
    'kept by',
    'cap',
    'tokens kept',
    'facts',
    'worst session',
    ...kindHeads,
    'facts per 1,000 tokens',
  ]
  const rows = groups.flatMap((rows) => {
    const pooled = pooledFacts(rows)
    if (!pooled) return []
    return [
      [
        rows[0]?.compactor ?? '',
        capOf(rows[0]),
        `${Math.round(pooled.tokens)}`,
        percent(pooled.all),
        percent(pooled.worst),
        ...kindHeads.map((kind) => {
          const found = pooled.kinds.find((one) => one.kind === kind)
          return found ? percent(found.share) : '-'
        }),
        pooled.perThousand.toFixed(1),
      ],
    ]
  })
  return markdownTable({ head, rows })
}

/** Per session, how many facts of each kind. */
export function sessionTable(groups: readonly (readonly FactsKept[])[]): string {
  const head = ['session', 'kept by', 'cap', 'tokens kept', 'facts', ...kindHeads]
  const rows = groups
    .flat()
    .map((row) => [
      `${row.case} ${row.session}`,
      row.compactor,
      capOf(row),
      `${row.tokens}`,
      percent(shareOf(row)),
      ...row.kinds.map(({ stated, of }) => `${stated} of ${of}`),
    ])
  return markdownTable({ head, rows })
}

function capOf(row: FactsKept | undefined): string {
  return row?.keep === undefined ? '-' : `${row.keep / 1_000}k`
}
