import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Everything as Spring Boot sets it up by itself; the route comes from the command line. */
@EnableAutoConfiguration
public class SpringGateway {
  public static void main(String[] args) {
    SpringApplication.run(SpringGateway.class, args);
  }
}
