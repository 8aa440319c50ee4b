/** The samples of the reference about cards, agents and the sandbox, run in every language. */
import { partOf } from './part-of.ts'
import { testSamples } from './test-samples.ts'

await testSamples((operation) => partOf(operation) === 'programs')
