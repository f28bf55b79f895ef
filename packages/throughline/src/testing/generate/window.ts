import fc from 'fast-check'

/** Windows from 2,000 tokens to a million. */
export const arbitraryWindow: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(2_000, 4_000, 8_000, 16_000, 32_000, 128_000, 1_000_000),
  fc.integer({ min: 2_000, max: 64_000 }),
)
