/** A list of numbers that only grows, in as little memory as they need. */
export class Numbers {
  #all = new Float64Array(16)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The number at a position; 0 where there is none. */
  at(position: number): number {
    return position < this.#length ? (this.#all[position] ?? 0) : 0
  }

  push(value: number): void {
    if (this.#length === this.#all.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#all)
      this.#all = larger
    }
    this.#all[this.#length++] = value
  }
}
