export const picture = () => new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });

export const bank = {
  bankAccountType: 'conta_corrente',
  bankName: 'Banco Exemplo',
  bankCode: '999',
  bankAgency: '0001',
  bankAccount: '12345',
  bankAccountDv: '6',
  ispb: '00000000',
};

export const person = (more: Readonly<Record<string, string | Blob>> = {}) => ({
  document: '52998224725',
  fullName: 'Maria Silva',
  birthDate: '1990-02-28',
  phone: '+5511912345678',
  addressZipCode: '01310100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  bankAccount: JSON.stringify(bank),
  cnhCompleta: picture(),
  selfie: picture(),
  ...more,
});
