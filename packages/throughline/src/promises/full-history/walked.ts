/** What a host's requests held, step by step, and how many compactions they took. */
export interface Walked {
  requests: readonly (readonly unknown[])[]
  compactions: number
}

/** An agent of so many steps whose host hands over its whole history at each of them. */
export type Door = (steps: number) => Promise<Walked>

export const window = { context: 32_000 }
