import { ADDRESS, newBusiness, newPerson, type Scenario } from './sandbox-steps.ts'

const OBJECTS = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>
endobj
`
const PDF = `${OBJECTS}trailer
<< /Size 4 /Root 1 0 R >>
startxref
0
%%EOF
`
const BUSINESS_PAPERS = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'UTILITY_BILL',
] as const
const PERSON = {
  birthDate: '1990-02-03',
  nationality: 'US',
  idType: 'SSN',
  identifier: '111-22-3333',
  address: ADDRESS,
} as const

const upload = (
  { florin }: Scenario,
  documentHolder: string,
  documentType: (typeof BUSINESS_PAPERS)[number] | 'PASSPORT',
) =>
  florin.documents.upload({
    documentHolder,
    documentType,
    country: 'US',
    documentNumber: 'X1234567',
    issuingAuthority: 'Department of State',
    file: new File([PDF], 'paper.pdf', { type: 'application/pdf' }),
  })

/** A person with a passport that is submitted under a name with this end, which decides. */
export async function submitPerson(scenario: Scenario, ending: string): Promise<unknown> {
  const { florin } = scenario
  const { id } = await newPerson(scenario, '003', PERSON)
  await upload(scenario, id, 'PASSPORT')
  await florin.customers.update(id, {
    customerType: 'INDIVIDUAL',
    fullName: `Ana Trigger ${ending}`,
  })
  return florin.verifications.create({ customerId: id })
}

/** A business that lacks nothing, submitted; the end of its registration number decides. */
export async function submitBusiness(scenario: Scenario, ending?: string): Promise<unknown> {
  const { florin } = scenario
  const { id } = await newBusiness(scenario, ending)
  for (const documentType of BUSINESS_PAPERS) await upload(scenario, id, documentType)
  await florin.beneficialOwners.create({
    customerId: id,
    roles: ['UBO', 'CONTROL_PERSON'],
    ownershipPercentage: 60,
    personalInfo: { firstName: 'Ana', lastName: 'Martins', ...PERSON },
  })
  return florin.verifications.create({ customerId: id })
}
