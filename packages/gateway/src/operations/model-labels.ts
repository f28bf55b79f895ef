const mostNames = 30
const longestName = 100

/**
 * The names of models that stand in metrics. Clients ask for whatever they like: a name counts when a
 * provider has answered for it, and only so many do; the others are one.
 */
export class ModelLabels {
  readonly #names = new Set<string>()

  of(model: string | undefined, isAnswered: boolean): string {
    if (model === undefined || model === '') return 'none'
    const mayBegin = isAnswered && this.#names.size < mostNames && model.length <= longestName
    if (mayBegin) this.#names.add(model)
    return this.#names.has(model) ? model : 'other'
  }
}
