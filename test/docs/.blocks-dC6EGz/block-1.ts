import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: 'https://api.platform.example',
  clientId: 'your-client-id',
  clientSecret: 'your-client-secret', // on a server only, and never in a repository
});
