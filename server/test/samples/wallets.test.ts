/** The samples of the reference about wallets, factors and stablecoins, run in every language. */
import { partOf } from './part-of.ts'
import { testSamples } from './test-samples.ts'

await testSamples((operation) => partOf(operation) === 'wallets')
