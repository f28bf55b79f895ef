/** Lets everything else that is ready go first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
