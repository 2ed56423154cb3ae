export interface TokenRequest {
  /** Assumed name. */
  grant_type: 'client_credentials';
  client_id?: string;
  client_secret?: string;
}

export interface TokenResponse {
  access_token: string;
  /** Seconds. */
  expires_in?: number;
}
